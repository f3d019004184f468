#!/usr/bin/env bash
# Builds the program for browsers into web/wasm/: the module, and the JavaScript by which the page calls it. Needs Rust alone; a profile of cargo
# may be named, `web` by default.
set -euo pipefail
cd "$(dirname "$0")/.."
profile=${1:-web}
target=wasm32-unknown-unknown
if ! rustc --print target-libdir --target "$target" | xargs test -d; then
  if ! rustup target add "$target"; then
    echo "error: Rust cannot build for browsers here: its library for $target is missing, and \`rustup target add $target\` failed" >&2
    exit 1
  fi
fi
# Settings for the other builds of a check, such as clippy in place of the compiler, are not for this one.
unset RUSTC_WORKSPACE_WRAPPER CLIPPY_ARGS
cargo build --locked --target "$target" -p houserule-web --profile "$profile"
cargo build --locked -p houserule-web-bind
folder=$profile
test "$profile" != dev || folder=debug
built=${CARGO_TARGET_DIR:-target}
rm -rf web/wasm
"$built/debug/houserule-web-bind" "$built/$target/$folder/houserule_web.wasm" web/wasm
ls -l web/wasm/houserule_web_bg.wasm
