#!/bin/sh
# rustdoc with its unstable options. Cargo would compile dependencies again if it were given this variable.
RUSTC_BOOTSTRAP=1 exec rustdoc "$@"
