#!/bin/sh
# Packs the program for a target, with completions, manual pages and licenses, into target/packages/: archive.sh TARGET
set -eu
target=$1
name=robocensus-$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml)-$target
folder=target/packages/$name
if [ "$target" = "$(rustc -vV | sed -n 's/^host: //p')" ]; then
    # The build that `make bench` measures.
    cargo build --profile dist --locked
    program=target/dist/robocensus
else
    cargo build --profile dist --locked --target "$target"
    program=target/$target/dist/robocensus
fi
mkdir -p "$folder/completions"
for shell in bash fish zsh; do
    "$program" completions $shell >"$folder/completions/robocensus.$shell"
done
"$program" man "$folder/man"
cp target/LICENSES.txt "$program" README.md CHANGELOG.md LICENSE-APACHE LICENSE-MIT "$folder"
# The same commit and compiler give the same bytes.
tar --sort=name --mtime="@$(git log -1 --format=%ct)" --owner=0 --group=0 --numeric-owner -C target/packages -c "$name" |
    gzip -n9 >"target/packages/$name.tar.gz"
rm -r "$folder"
