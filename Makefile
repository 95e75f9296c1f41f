# drawbridge. `make` builds build/drawbridge; `make help` lists the rest.

# ---- settings ----

CONFIG   ?= release
CC       ?= cc
PYTHON   ?= python3

# Everything a fresh Debian 12 needs, for building, the demo and the tests. The one list; some targets add their tools.
PACKAGES := gcc libc6-dev make pkg-config libcjson-dev libpcre2-dev libmicrohttpd-dev libgnutls28-dev libssl-dev \
            libyaml-dev libcmocka-dev lowdown python3 python3-venv openssl
valgrind test-speed bench-engine: PACKAGES += valgrind
tidy:     PACKAGES += clang-tidy
analyze:  PACKAGES += cppcheck
format check-format: PACKAGES += clang-format git
fuzz:     PACKAGES += clang libclang-rt-14-dev
e2e:      PACKAGES += etcd-server
test-page: PACKAGES += chromium fonts-dejavu-core
test-deploy: PACKAGES += prometheus python3-yaml python3-jsonschema git

BUILD    := $(if $(filter release,$(CONFIG)),build,build-$(CONFIG))

WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wcast-qual -Wvla \
            -Wformat=2 -Wundef
CFLAGS_release  := -O3 -g -fno-plt -D_FORTIFY_SOURCE=2
CFLAGS_asan     := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
CFLAGS_tsan     := -O1 -g -fsanitize=thread
CFLAGS_coverage := -O0 -g --coverage
# For proofs: without fast paths (src/base/fast_paths.h), and with a count of the cases that reach each row (src/check/row_counts.h).
CFLAGS_proof    := -O1 -g -DNO_FAST_PATHS -DCOUNT_ROWS
CFLAGS_fuzz     := -O1 -g -fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=all \
                   -DLIMIT_ALLOCATE_STEPS=20000u -DLIMIT_ALLOCATE_LOOKS=2000000u
LDFLAGS_asan    := -fsanitize=address,undefined
LDFLAGS_tsan    := -fsanitize=thread
LDFLAGS_coverage := --coverage
LDFLAGS_fuzz    := -fsanitize=address,undefined
ifeq ($(CONFIG),fuzz)
CC := clang
endif

ALL_CFLAGS := -std=gnu11 -D_GNU_SOURCE -Isrc -I. $(WARNINGS) $(if $(CI),-Werror) -fvisibility=hidden -fPIC -fstack-protector-strong \
              -ffile-prefix-map=$(CURDIR)=. $(CFLAGS_$(CONFIG)) $(CFLAGS)
ALL_LDFLAGS := -pie -Wl,-z,relro,-z,now $(LDFLAGS_$(CONFIG)) $(LDFLAGS)

# ---- what is built from what ----

CORE_SOURCES  := $(wildcard src/base/*.c src/doc/*.c src/value/*.c src/cel/*.c src/schema/*.c src/check/*.c src/object/*.c src/validate/*.c src/review/*.c src/match/*.c src/allocate/*.c src/lint/*.c src/library/*.c rules/*.c rules/*/*.c)
LSP_SOURCES   := $(wildcard src/lsp/*.c)
PKI_SOURCES   := $(wildcard src/pki/*.c)
OBSERVE_SOURCES := $(wildcard src/observe/*.c)
SERVE_SOURCES := $(wildcard src/serve/*.c)
UNIT_TESTS    := $(patsubst tests/unit/%.c,$(BUILD)/tests/%,$(wildcard tests/unit/test_*.c))
PRINTERS      := $(patsubst tests/conformance/%.c,$(BUILD)/tests/%,$(wildcard tests/conformance/*_print.c))
FUZZERS       := $(patsubst tests/fuzz/%.c,build-fuzz/%,$(wildcard tests/fuzz/fuzz_*.c))
CORPORA       := $(patsubst tests/fuzz/fuzz_%.c,$(BUILD)/tests/corpus_%,$(wildcard tests/fuzz/fuzz_*.c))
PROGRAMS      := $(BUILD)/drawbridge $(BUILD)/drawbridge-serve $(BUILD)/drawbridge-certs

# Commands are shown in short; V=1 shows them whole.
Q   := $(if $(V),,@)
say = @$(if $(V),:,printf '  %-4s %s\n' $(1) $@)

objects = $(patsubst %.c,$(BUILD)/obj/%.o,$(1))

CORE_LIBS  := -lcjson -lpcre2-8 -lyaml -lm
PKI_LIBS   := -lcrypto
SERVE_LIBS := -lmicrohttpd -lgnutls
LIBRARY_LIBS := -lpcre2-8 -lyaml -lm

# The library is what it needs of the core: no threads, no reviews, and of files only those of time zones.
LIBRARY_SOURCES := $(filter-out src/review/% $(filter-out src/lint/suppression%,$(wildcard src/lint/*.c)) $(addprefix src/base/,clock.c folders.c glob.c ignore.c thread.c),$(CORE_SOURCES))
# On the command line, VERSION is that of Kubernetes, for `make oracle`.
ORACLE_VERSIONS := $(if $(filter command line,$(origin VERSION)),$(VERSION),1.35)
override VERSION := $(shell sed -n 's/^\#define DRAWBRIDGE_VERSION "\(.*\)"/\1/p' src/drawbridge.h)
ABI     := $(if $(filter 0.%,$(VERSION)),$(basename $(VERSION)),$(firstword $(subst ., ,$(VERSION))))
SO_NAME := libdrawbridge.so.$(ABI)
LIBRARY := $(BUILD)/libdrawbridge.so.$(VERSION) $(BUILD)/libdrawbridge.a

PREFIX ?= /usr/local
LIBDIR ?= $(PREFIX)/lib
MANDIR ?= $(PREFIX)/share/man

.PHONY: all analyze help man install uninstall compile_commands.json tidy format check-format coverage test release-check reproducible e2e test-page test-speed test-threads torture test-deploy test-oracle diff-fuzz diff-cel diff-allocate mutate oracle image krew demo bench bench-engine asan tsan valgrind fuzz packages clean
.DELETE_ON_ERROR:

all: $(PROGRAMS) $(LIBRARY)

help:
	@sed -n 's/^## //p' Makefile

# What the product is made of may not use the functions that this file bans.
$(BUILD)/obj/src/%.o $(BUILD)/obj/rules/%.o: ALL_CFLAGS += -include src/base/banned.h

$(BUILD)/obj/%.o: %.c
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(ALL_CFLAGS) -MMD -MP -c $< -o $@

$(BUILD)/core.a: $(call objects,$(CORE_SOURCES))
	@rm -f $@
	$(call say,AR)
	$(Q)$(AR) rcs $@ $^

# What commands of all three programs need.
CLI_SOURCES := $(addprefix src/cli/,command.c complete.c configuration.c option.c options.c)

# All commands but those of the programs beside it.
MAIN_SOURCES := $(filter-out $(wildcard src/cli/certs*.c src/cli/manifests*.c src/cli/serve.c src/cli/serve_*.c),$(wildcard src/cli/*.c))

$(BUILD)/drawbridge: $(call objects,$(MAIN_SOURCES) $(LSP_SOURCES)) $(BUILD)/core.a
	$(call say,LD)
	$(Q)$(CC) $(ALL_LDFLAGS) $^ -o $@ $(CORE_LIBS)

$(BUILD)/drawbridge-certs: $(call objects,$(wildcard src/cli/certs*.c src/cli/manifests*.c) $(CLI_SOURCES) $(PKI_SOURCES)) $(BUILD)/core.a
	$(call say,LD)
	$(Q)$(CC) $(ALL_LDFLAGS) $^ -o $@ $(PKI_LIBS) $(CORE_LIBS)

$(BUILD)/drawbridge-serve: $(call objects,$(wildcard src/cli/serve*.c) src/cli/certs_memory.c src/cli/certs_options.c $(CLI_SOURCES) $(SERVE_SOURCES) $(OBSERVE_SOURCES) $(PKI_SOURCES)) $(BUILD)/core.a
	$(call say,LD)
	$(Q)$(CC) $(ALL_LDFLAGS) $^ -o $@ $(SERVE_LIBS) $(PKI_LIBS) $(CORE_LIBS) -lpthread

$(BUILD)/libdrawbridge.so.$(VERSION): $(call objects,$(LIBRARY_SOURCES)) src/library/exports.map
	$(call say,LD)
	$(Q)$(CC) $(LDFLAGS_$(CONFIG)) $(LDFLAGS) -shared -Wl,-z,relro,-z,now,-soname,$(SO_NAME),--version-script=src/library/exports.map \
	  $(filter %.o,$^) -o $@ $(LIBRARY_LIBS)
	@ln -sf $(@F) $(BUILD)/$(SO_NAME)
	@ln -sf $(SO_NAME) $(BUILD)/libdrawbridge.so

# One object, in which everything but the public functions is local.
$(BUILD)/libdrawbridge.a: $(call objects,$(LIBRARY_SOURCES))
	@rm -f $@
	$(Q)$(LD) -r $^ -o $(BUILD)/obj/libdrawbridge.o
	$(Q)objcopy --localize-hidden $(BUILD)/obj/libdrawbridge.o
	$(call say,AR)
	$(Q)$(AR) rcs $@ $(BUILD)/obj/libdrawbridge.o

# ---- manual pages: Markdown, as roff for man(1), and as text in the program for `drawbridge help` ----

MAN_SOURCES := $(wildcard src/cli/man/*.md)
MAN_PAGES   := $(patsubst src/cli/man/%.md,$(BUILD)/man/%,$(MAN_SOURCES))
HELP_TEXTS  := $(patsubst src/cli/man/%.md,$(BUILD)/help/%.txt,$(MAN_SOURCES))
MAN_DATE    := $(shell sed -n 's/^\#\# \[.*\] - \([0-9-]*\)$$/\1/p' src/CHANGELOG.md | head -n 1)

# Title and section are in the name: drawbridge-lint.1.
$(BUILD)/man/%: src/cli/man/%.md src/cli/man/man.sed
	@mkdir -p $(@D)
	$(call say,MAN)
	$(Q)lowdown -s -Tman --out-no-smarty --nroff-nolinks -m title=$(shell echo $(basename $*) | tr a-z A-Z) -m section=$(subst .,,$(suffix $*)) \
	  -m date=$(MAN_DATE) -m source='drawbridge $(VERSION)' -m volume='drawbridge manual' $< -o $@
	$(Q)sed -z -i -f src/cli/man/man.sed $@
	$(Q)sed -i '/^\./!s/-/\\-/g' $@

$(BUILD)/help/%.txt: src/cli/man/%.md src/cli/man/plain.sed
	@mkdir -p $(@D)
	$(Q)sed -f src/cli/man/plain.sed $< > $@

# The examples of rules, for `drawbridge explain RULE`.
RULE_EXAMPLES := $(wildcard rules/examples/*.md)

$(BUILD)/help/examples.txt: $(RULE_EXAMPLES)
	@mkdir -p $(@D)
	$(Q)sed '/^# /d' $^ > $@

COMPLETIONS := $(wildcard src/cli/completion/drawbridge.*)

$(BUILD)/help/drawbridge.%.txt: src/cli/completion/drawbridge.%
	@mkdir -p $(@D)
	$(Q)cp $< $@

$(BUILD)/obj/src/cli/help.o: $(HELP_TEXTS)
$(BUILD)/obj/src/cli/completion.o: $(COMPLETIONS:src/cli/completion/%=$(BUILD)/help/%.txt)
$(BUILD)/obj/src/cli/explain_example.o: $(BUILD)/help/examples.txt
$(addprefix $(BUILD)/obj/src/cli/,help.o explain_example.o completion.o): ALL_CFLAGS += -DHELP_FOLDER='"$(BUILD)/help"'

man: $(MAN_PAGES)

# Without lowdown everything else is installed, and that is said.
HAVE_LOWDOWN := $(shell command -v lowdown)

# Where the shells look for completion.
BASH_COMPLETION := share/bash-completion/completions/drawbridge
ZSH_COMPLETION  := share/zsh/site-functions/_drawbridge
FISH_COMPLETION := share/fish/vendor_completions.d/drawbridge.fish

plain_paths = @case '$(DESTDIR)$(PREFIX)$(LIBDIR)$(MANDIR)' in *[!A-Za-z0-9/._+~@%=,:-]*) \
                echo 'DESTDIR, PREFIX, LIBDIR and MANDIR must be plain paths' >&2; exit 2;; esac

install: all $(if $(HAVE_LOWDOWN),man)
	$(plain_paths)
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/include $(DESTDIR)$(LIBDIR)/pkgconfig
	install $(PROGRAMS) $(DESTDIR)$(PREFIX)/bin
	ln -sf drawbridge $(DESTDIR)$(PREFIX)/bin/kubectl-drawbridge
	install deploy/krew/kubectl_complete-drawbridge $(DESTDIR)$(PREFIX)/bin
	install -D -m 644 src/cli/completion/drawbridge.bash $(DESTDIR)$(PREFIX)/$(BASH_COMPLETION)
	install -D -m 644 src/cli/completion/drawbridge.zsh $(DESTDIR)$(PREFIX)/$(ZSH_COMPLETION)
	install -D -m 644 src/cli/completion/drawbridge.fish $(DESTDIR)$(PREFIX)/$(FISH_COMPLETION)
	install -m 644 src/drawbridge.h $(DESTDIR)$(PREFIX)/include
	install -m 644 $(LIBRARY) $(DESTDIR)$(LIBDIR)
	ln -sf libdrawbridge.so.$(VERSION) $(DESTDIR)$(LIBDIR)/$(SO_NAME)
	ln -sf $(SO_NAME) $(DESTDIR)$(LIBDIR)/libdrawbridge.so
	sed 's|@PREFIX@|$(PREFIX)|; s|@LIBDIR@|$(LIBDIR)|; s|@VERSION@|$(VERSION)|' src/library/drawbridge.pc.in > $(DESTDIR)$(LIBDIR)/pkgconfig/drawbridge.pc
ifneq ($(HAVE_LOWDOWN),)
	for section in 1 3 5 8; do install -d $(DESTDIR)$(MANDIR)/man$$section && install -m 644 $(BUILD)/man/*.$$section $(DESTDIR)$(MANDIR)/man$$section || exit; done
else
	@echo "make install: no manual pages are installed, as lowdown is missing (Debian: apt-get install lowdown); 'drawbridge help' prints them" >&2
endif

# What `make install` has installed with the same variables. Folders stay.
uninstall:
	$(plain_paths)
	rm -f $(addprefix $(DESTDIR)$(PREFIX)/bin/,$(notdir $(PROGRAMS)) kubectl-drawbridge kubectl_complete-drawbridge) $(DESTDIR)$(PREFIX)/include/drawbridge.h
	rm -f $(addprefix $(DESTDIR)$(PREFIX)/,$(BASH_COMPLETION) $(ZSH_COMPLETION) $(FISH_COMPLETION))
	rm -f $(addprefix $(DESTDIR)$(LIBDIR)/,$(notdir $(LIBRARY)) $(SO_NAME) libdrawbridge.so pkgconfig/drawbridge.pc)
	rm -f $(foreach page,$(notdir $(MAN_PAGES)),$(DESTDIR)$(MANDIR)/man$(subst .,,$(suffix $(page)))/$(page))

-include $(shell find $(BUILD)/obj -name '*.d' 2>/dev/null)

# ---- targets for people ----

## make            build build/drawbridge and the programs beside it
## make man        render the manual pages, build/man/ (needs lowdown)
## make install    install programs, library, header, manual pages, completion and the kubectl plugin (DESTDIR=, PREFIX=/usr/local)
## make uninstall  remove what make install has installed, with the same DESTDIR, PREFIX, LIBDIR and MANDIR
## make demo       install what is missing, build, and show the webhook answering reviews over HTTPS
## make test       install what is missing, build, and run every test
## make e2e        test with a real API server, which it builds: needs Go 1.25 or newer, and some minutes the first time
## make test-speed   no review takes 5 % more instructions than before
## make test-page    test how the status page and reports look, in headless Chromium
## make test-deploy  test the chart, kustomize, the image, alerts and dashboard: takes what there is of Go 1.26 (it builds helm) and kubectl
## make oracle CASE=file.yaml  ask Kubernetes' own code what it decides about an object, and print the line that makes it a test case:
##                   tests/conformance/README.md. It needs Go 1.25 or newer (1.26 from VERSION=1.36 on), and some minutes the first time
## make oracle K8S=1.38.0  pin and build the oracle of a version, and print what it decides and has otherwise than drawbridge: rules/README.md
## make test-oracle  ask it for the verdict of every test case, again
## make diff-fuzz SECONDS=n SEED=s VERSION=1.37  put objects and updates that chance makes to Kubernetes' own code and to drawbridge, and print
##   what differs as small cases
## make diff-cel SECONDS=n  put expressions that chance makes to Kubernetes' own compiler of selectors and to drawbridge's (Go 1.25 or newer)
## make diff-allocate COUNT=n VERSION=1.37  put clusters that chance makes to Kubernetes' own device allocator and to drawbridge's (the same)
## make mutate COUNT=n SEED=n FILE=rules/...  change rows of the tables one at a time, and list the changes that no test notices
## make torture SECONDS=n  let every allocation and call of the system fail once, and from then on (30 minutes)
## make krew       pack the kubectl plugin for krew: build/krew/
## make image      build a container image, build/image/ (an OCI layout), without a container engine
## make asan       the same tests with the address and undefined behaviour sanitizers (build-asan/)
## make tsan       the same tests with the thread sanitizer (build-tsan/)
## make test-threads  lint in several threads with the thread sanitizer
## make valgrind   the unit tests and a run of the program under valgrind
## make fuzz SECONDS=n TARGET=name  fuzz all targets, or one of tests/fuzz, for some time each with clang (build-fuzz/)
## make bench-engine  what parsing and validating one review costs, by stage
## make bench      measure the webhook beside a bare TLS server and a webhook in Go (about 5 minutes)
## make reproducible  build the last commit twice, in two folders, and compare the bytes
## make release-check  the version is the same everywhere, and the library's binary interface is that of tests/library/abi.txt
## make format     lay out the lines of C that a change touches, by .clang-format: what is not committed, or all since BASE=COMMIT
## make check-format  print what make format would change, and fail if there is anything
## make tidy       look for mistakes with clang-tidy; .clang-tidy says for which. FILES= chooses files
## make analyze    look for mistakes with gcc's analyzer and cppcheck; tests/analyze.known has the known warnings
## make coverage   run the tests and count the lines of src and rules that they reach: build-coverage/ (ONLY=unit: some suites)
## make compile_commands.json  how each file is compiled, for editors
## make clean      remove everything built
##
## V=1 shows whole commands, CI=1 makes warnings errors, CONFIG=asan (tsan, coverage) builds build-asan/

packages:
	@missing=$$(dpkg-query -W -f '$${Package} $${Status}\n' $(PACKAGES) 2>/dev/null | \
	  awk -v all='$(PACKAGES)' '/ install ok installed/ { have[$$1] = 1 } END { n = split(all, want, " "); for (i = 1; i <= n; i++) if (!have[want[i]]) print want[i] }'); \
	if [ -n "$$missing" ]; then \
	  sudo=$$([ "$$(id -u)" = 0 ] || echo sudo); \
	  $$sudo apt-get update -q && $$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $$missing; \
	fi

clean:
	rm -rf build build-* compile_commands.json

# ---- for those who work on the sources ----

# What this Makefile would run, as editors and clang-tidy read it.
compile_commands.json:
	@$(MAKE) -Bn --no-print-directory V=1 build-tests bench-programs 2>/dev/null | sed -n \
	  -e '/ -o build-proof/d; s/\\/\\\\/g; s/"/\\"/g' \
	  -e 's|^.* -c \([^ ]*\.c\) -o [^ ]*$$|{ "directory": "$(CURDIR)", "file": "\1", "command": "&" },|p' | sort -u | sed '1s/^/[/; $$s/,$$/]/' > $@

tidy: packages compile_commands.json $(HELP_TEXTS) $(BUILD)/help/examples.txt $(COMPLETIONS:src/cli/completion/%=$(BUILD)/help/%.txt)
	@printf '%s\n' $(or $(FILES),$$(sed -n 's/.*"file": "\([sr][^"]*\)".*/\1/p' compile_commands.json)) | \
	  xargs -P $$(nproc) -n 4 clang-tidy -p . --quiet --warnings-as-errors='*' 2> /dev/null
	@echo 'clang-tidy: nothing found'

# Rows of tables are laid out by hand, so only lines that a change touches are looked at, and none in rules/ and src/schema/.
BASE ?= HEAD
FORMATTED := ':(glob)src/**/*.[ch]' ':(glob)tests/**/*.[ch]' ':(exclude)src/schema'

format: packages
	@git clang-format $(BASE) -- $(FORMATTED)

check-format: packages
	@! git clang-format --diff $(BASE) -- $(FORMATTED) | grep -A 100000 '^diff'

analyze: packages
	@$(MAKE) --no-print-directory all
	@$(PYTHON) tests/analyze.py

coverage:
	@$(MAKE) --no-print-directory CONFIG=coverage packages build-tests
	@find build-coverage -name '*.gcda' -delete
	-@$(PYTHON) tests/run.py $(if $(ONLY),--only $(ONLY)) build-coverage
	@$(PYTHON) tests/coverage.py build-coverage

# ---- tests ----

$(BUILD)/tests/%: $(BUILD)/obj/tests/unit/%.o $(BUILD)/core.a
	@mkdir -p $(@D)
	$(call say,LD)
	$(Q)$(CC) $(ALL_LDFLAGS) $^ -o $@ -lcmocka $(CORE_LIBS) -lpthread

# The parts of the server that need none of its libraries.
$(BUILD)/tests/test_observe: $(BUILD)/obj/tests/unit/test_observe.o $(call objects,src/observe/history.c src/observe/line.c src/observe/metrics.c) $(BUILD)/core.a
	@mkdir -p $(@D)
	$(call say,LD)
	$(Q)$(CC) $(ALL_LDFLAGS) $^ -o $@ -lcmocka $(CORE_LIBS) -lpthread

$(BUILD)/tests/%_print: $(BUILD)/obj/tests/conformance/%_print.o $(BUILD)/core.a
	@mkdir -p $(@D)
	$(call say,LD)
	$(Q)$(CC) $(ALL_LDFLAGS) $^ -o $@ $(CORE_LIBS)

build-tests: all $(UNIT_TESTS) $(PRINTERS) $(CORPORA)
	@$(MAKE) --no-print-directory CONFIG=proof build-proof/drawbridge

test: packages
	@$(MAKE) --no-print-directory build-tests
	@$(PYTHON) tests/run.py $(BUILD)

reproducible: packages
	@$(PYTHON) tests/release/reproducible.py

# All that test_torture.py and test_serve.py have a sample of. Half of the time for each.
TORTURE_SECONDS := $(or $(SECONDS),1800)

torture: packages
	@$(MAKE) --no-print-directory all
	@$(PYTHON) tests/torture/test_torture.py --seconds $$(($(TORTURE_SECONDS) / 2)) $(BUILD)
	@$(PYTHON) tests/torture/test_serve.py --seconds $$(($(TORTURE_SECONDS) / 2)) $(BUILD)

release-check: packages
	@$(MAKE) --no-print-directory all
	@$(PYTHON) tests/run.py --folder release $(BUILD)

# kube-apiserver and kubectl of the version in tests/e2e/go.mod, and etcd from Debian.
E2E_PROGRAMS := build-e2e/bin/kube-apiserver build-e2e/bin/kubectl

$(E2E_PROGRAMS) &: tests/e2e/go.mod tests/e2e/go.sum
	$(call say,GO)
	$(Q)cd tests/e2e && CGO_ENABLED=0 go build -trimpath -ldflags='-s -w' -o ../../build-e2e/bin/ $(addprefix k8s.io/kubernetes/cmd/,$(notdir $(E2E_PROGRAMS)))
	@touch $(E2E_PROGRAMS)

e2e: packages
	@$(MAKE) --no-print-directory all $(E2E_PROGRAMS)
	@$(PYTHON) tests/run.py --folder e2e $(BUILD)

# helm of the version in tests/deploy/go.mod, and the API server's own evaluation of match conditions. kubectl is what `make e2e` has built, or
# the machine's.
DEPLOY_PROGRAMS := build-deploy/bin/helm build-deploy/bin/conditions

$(DEPLOY_PROGRAMS) &: tests/deploy/go.mod tests/deploy/go.sum tests/deploy/conditions/main.go
	$(call say,GO)
	$(Q)cd tests/deploy && CGO_ENABLED=0 go build -trimpath -ldflags='-s -w' -o ../../build-deploy/bin/ helm.sh/helm/v3/cmd/helm ./conditions
	@touch $(DEPLOY_PROGRAMS)

# What Kubernetes decides about an object: its own code, a program for each version. Versions that were built before are asked, too.
# CASE and the others reach the program by the environment, where make puts them, so that nothing in them is for the shell.
ORACLES := $(ORACLE_VERSIONS:%=build-oracle/oracle-%)
ORACLE_SOURCES := $(wildcard $(addprefix tests/conformance/oracle/,*.go go.* versions/*))
ORACLE_KNOWN := 1.35 $(patsubst tests/conformance/oracle/versions/%.mod,%,$(filter tests/conformance/oracle/versions/%.mod,$(ORACLE_SOURCES)))

build-oracle/oracle-%: $(ORACLE_SOURCES)
	$(if $(filter $*,$(ORACLE_KNOWN)),,@echo 'no oracle of Kubernetes $*; there are $(sort $(ORACLE_KNOWN))' >&2; exit 2)
	@command -v go > /dev/null || { echo 'the oracle is built with Go: 1.25 or newer' >&2; exit 2; }
	$(call say,GO)
	$(Q)cd tests/conformance/oracle && CGO_ENABLED=0 go build -trimpath -ldflags='-s -w' -tags="$$(seq -s , -f 'since1.%g' 33 $(*:1.%=%))" \
	  -modfile=$(if $(filter 1.35,$*),go.mod,versions/$*.mod) -o ../../../$@ .

ifneq ($(K8S),)
oracle:
	@command -v go > /dev/null || { echo 'the oracle is built with Go: 1.25 or newer' >&2; exit 2; }
	@tests/conformance/oracle/pin.sh '$(K8S)'
	@$(MAKE) --no-print-directory all $(BUILD)/tests/rows_print build-oracle/oracle-$$(echo '$(K8S)' | cut -d . -f 1,2)
	@$(PYTHON) tests/conformance/new_version.py --build $(BUILD) '$(K8S)'
else
oracle: $(ORACLES)
	@$(PYTHON) tests/conformance/ask.py --build $(BUILD) --old "$$OLD" --op "$$OP" --id "$$ID" $${ADD:+--add} $${ALL:+--all} -- "$$CASE"
endif

test-oracle: packages
	@$(MAKE) --no-print-directory all $(ORACLES)
	@$(PYTHON) tests/run.py --folder conformance/oracle $(BUILD)

# Each version has its share of the time.
diff-fuzz: packages
	@$(MAKE) --no-print-directory all $(BUILD)/tests/rows_print $(ORACLES)
	@$(foreach version,$(ORACLE_VERSIONS),$(PYTHON) tests/conformance/oracle/diff_fuzz.py --version $(version) --seconds $(or $(SECONDS),60) \
	  $(if $(SEED),--seed $(SEED)) $(BUILD) &&) true

build-oracle/cel-1.35: $(wildcard $(addprefix tests/conformance/oracle/,cel/*.go go.*))
	@command -v go > /dev/null || { echo 'the oracle is built with Go: 1.25 or newer' >&2; exit 2; }
	$(call say,GO)
	$(Q)cd tests/conformance/oracle && CGO_ENABLED=0 go build -trimpath -ldflags='-s -w' -o ../../../$@ ./cel

diff-cel: packages
	@$(MAKE) --no-print-directory $(BUILD)/tests/cel_print build-oracle/cel-1.35
	@$(PYTHON) tests/conformance/oracle/diff_cel.py --seconds $(or $(SECONDS),60) $(if $(SEED),--seed $(SEED)) $(BUILD)

# The allocator's module is copied and changed a little: order/main.go says what, and why.
build-oracle/allocate-%: $(wildcard $(addprefix tests/conformance/oracle/,allocate/*.go allocate/order/*.go go.* versions/*))
	$(if $(filter $*,$(ORACLE_KNOWN)),,@echo 'no oracle of Kubernetes $*; there are $(sort $(ORACLE_KNOWN))' >&2; exit 2)
	@command -v go > /dev/null || { echo 'the oracle is built with Go: 1.25 or newer' >&2; exit 2; }
	$(call say,GO)
	$(Q)cd tests/conformance/oracle && file=$(if $(filter 1.35,$*),go.mod,versions/$*.mod) && \
	  module=$$(go mod download -modfile=$$file -json k8s.io/dynamic-resource-allocation | sed -n 's/.*"Dir": "\(.*\)".*/\1/p') && \
	  go run ./allocate/order "$$module" $$file ../../../build-oracle/allocator-$* && \
	  CGO_ENABLED=0 go build -trimpath -ldflags='-s -w' -modfile=../../../build-oracle/allocator-$*/go.mod -o ../../../$@ ./allocate

mutate: packages
	python3 tests/mutate.py --count $(or $(COUNT),20) --seed $(or $(SEED),1) $(if $(FILE),--file '$(FILE)') build-mutate

diff-allocate: packages
	@$(MAKE) --no-print-directory all $(ORACLE_VERSIONS:%=build-oracle/allocate-%)
	@$(foreach version,$(ORACLE_VERSIONS),$(PYTHON) tests/conformance/oracle/diff_allocate.py --version $(version) --count $(or $(COUNT),5000) \
	  $(if $(SEED),--seed $(SEED)) $(BUILD) &&) true

image: packages
	@$(MAKE) --no-print-directory all
	@$(PYTHON) deploy/image/build.py $(BUILD) $(BUILD)/image

krew:
	@$(MAKE) --no-print-directory all
	@$(PYTHON) deploy/krew/build.py $(BUILD) $(BUILD)/krew

test-deploy: packages
	@$(MAKE) --no-print-directory all $$(go env GOVERSION 2>/dev/null | grep -qE '^go1\.(2[6-9]|[3-9][0-9])' && echo '$(DEPLOY_PROGRAMS)')
	@$(PYTHON) tests/run.py --folder deploy $(BUILD)

test-page: packages
	@$(MAKE) --no-print-directory all
	@$(PYTHON) tests/run.py --folder browser $(BUILD)

test-threads:
	@$(MAKE) --no-print-directory CONFIG=tsan build-tsan/drawbridge
	@$(PYTHON) tests/run.py --folder threads build-tsan

test-speed: packages
	@$(MAKE) --no-print-directory $(BUILD)/bench_review
	@$(PYTHON) tests/run.py --folder bench $(BUILD)

asan tsan:
	@$(MAKE) --no-print-directory CONFIG=$@ test

valgrind: packages
	@$(MAKE) --no-print-directory build-tests
	@for test in $(UNIT_TESTS); do valgrind -q --leak-check=full --error-exitcode=9 $$test >/dev/null || exit 1; echo "$$test: clean"; done
	@valgrind -q --leak-check=full --error-exitcode=9 $(BUILD)/drawbridge review tests/reviews/*.json > /dev/null && echo "drawbridge review: clean"

build-fuzz/%: build-fuzz/obj/tests/fuzz/%.o build-fuzz/core.a
	$(call say,LD)
	$(Q)$(CC) $(ALL_LDFLAGS) -fsanitize=fuzzer $(filter %.o,$^) $(filter %.a,$^) -o $@ $(SERVE_LIBS) $(PKI_LIBS) $(CORE_LIBS)

build-fuzz/fuzz_certificates: $(call objects,$(PKI_SOURCES))
build-fuzz/fuzz_http: $(call objects,$(SERVE_SOURCES) $(OBSERVE_SOURCES) $(PKI_SOURCES))

fuzz-programs: $(FUZZERS)

# The same targets without libFuzzer, for their saved inputs.
$(BUILD)/tests/corpus_certificates: $(call objects,$(PKI_SOURCES))
$(BUILD)/tests/corpus_http: $(call objects,$(SERVE_SOURCES) $(OBSERVE_SOURCES) $(PKI_SOURCES))

$(BUILD)/tests/corpus_%: $(BUILD)/obj/tests/fuzz/fuzz_%.o $(BUILD)/obj/tests/fuzz/corpus_main.o $(BUILD)/core.a
	@mkdir -p $(@D)
	$(call say,LD)
	$(Q)$(CC) $(ALL_LDFLAGS) $(filter %.o,$^) $(filter %.a,$^) -o $@ $(SERVE_LIBS) $(PKI_LIBS) $(CORE_LIBS)

fuzz: packages
	@$(MAKE) --no-print-directory CONFIG=fuzz fuzz-programs
	@$(PYTHON) tests/fuzz/make_corpus.py build-fuzz/seeds
	@$(PYTHON) tests/fuzz/run.py build-fuzz --seconds $(or $(SECONDS),60) $(if $(TARGET),--target $(TARGET))

# ---- speed ----

BENCH := $(BUILD)/bench_allocate $(BUILD)/bench_review $(BUILD)/bench_cel $(BUILD)/bench_match $(BUILD)/bench_regexp $(BUILD)/bench/echo $(BUILD)/bench/load

$(BUILD)/bench_allocate $(BUILD)/bench_review $(BUILD)/bench_cel $(BUILD)/bench_match $(BUILD)/bench_regexp: $(BUILD)/%: $(BUILD)/obj/tests/bench/%.o $(BUILD)/core.a
	$(call say,LD)
	$(Q)$(CC) $(ALL_LDFLAGS) $^ -o $@ $(CORE_LIBS)

$(BUILD)/bench/echo: $(BUILD)/obj/tests/bench/echo.o
	@mkdir -p $(@D)
	$(call say,LD)
	$(Q)$(CC) $(ALL_LDFLAGS) $^ -o $@ $(SERVE_LIBS)

$(BUILD)/bench/load: $(BUILD)/obj/tests/bench/load.o $(BUILD)/obj/tests/bench/client.o
	@mkdir -p $(@D)
	$(call say,LD)
	$(Q)$(CC) $(ALL_LDFLAGS) $^ -o $@ -lssl -lcrypto -lcjson

bench-programs: all $(BENCH)

bench: packages
	@$(MAKE) --no-print-directory bench-programs
	@$(PYTHON) tests/bench/lint.py $(BUILD)
	@$(PYTHON) tests/bench/run.py $(BUILD)

bench-engine: packages
	@$(MAKE) --no-print-directory $(BUILD)/bench_review
	@$(PYTHON) tests/bench/engine.py $(BUILD)

demo: packages
	@$(MAKE) --no-print-directory all
	@$(PYTHON) deploy/demo.py $(BUILD)

.SECONDARY:
