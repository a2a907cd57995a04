# The same verbs that CI runs; each works in an activated environment with `pip install -e ".[dev]"`.
.PHONY: format lint types test slow bench

format:
	ruff format . && ruff check --fix .

lint:
	ruff format --check . && ruff check .

types:
	mypy

test:
	pytest -n auto --dist loadgroup

slow:
	pytest -n auto --dist loadgroup -m slow

bench:
	python benchmarks/ladder.py cost
