NODE_VERSION := 24.21.0
TOOLS := $(CURDIR)/.tools/node-$(NODE_VERSION)/node_modules/.bin
export PATH := $(TOOLS):$(CURDIR)/node_modules/.bin:$(PATH)

.DEFAULT_GOAL := help
.PHONY: help start test check conformance bench bench-peers migrate docs

help: ## This list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1\t/' | expand -t 16

start: node_modules/.stamp ## Everything on this machine: http://127.0.0.1:8080, data in .althing/
	@exec node libs/local-stack/src/main.ts

check: node_modules/.stamp ## Types, lint, format, unused code, architecture, unit tests, documents
	@exec node tools/check.ts

test: node_modules/.stamp ## make check, then all tests on real Postgres, NATS, servers and a browser
	@exec node test/main.ts

conformance: node_modules/.stamp ## The official suite on our MCP client, for both protocol eras
	@exec node test/conformance/main.ts

bench: node_modules/.stamp ## Speed and memory, side by side in one run
	@exec node test/bench/main.ts

bench-peers: node_modules/.stamp ## The MCP endpoint beside other gateways, in one run
	@exec node test/bench/beside.ts

migrate: node_modules/.stamp ## Bring the database at DATABASE_ADMIN_URL and the bus at NATS_URL up to date
	@exec node migrations/main.ts

docs: node_modules/.stamp ## Regenerate what derives from the contracts
	@exec node tools/docs.ts

# Node and the packages come first; both are kept until the lockfile changes.
node_modules/.stamp: package.json package-lock.json tools/node.sh
	@sh tools/node.sh $(NODE_VERSION)
	@npm ci --no-audit --no-fund --ignore-scripts --loglevel error
	@touch $@
