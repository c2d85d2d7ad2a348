#!/usr/bin/env bash
# Runs `robocensus compare` as a gate, and ends with its exit code: 0 passed, 1 failed, 2 stopped or not installed.
# What was found stays in the folder of the result. The inputs of action.yml come as variables, COMPARE_NAME.
set -euo pipefail
# Whatever else goes wrong here is not that the comparison failed.
trap 'exit 2' ERR

refuse() {
    printf 'compare: %s\n' "$1" >&2
    exit 2
}

# Outputs are lines, so a path of two lines could state another output.
out=${COMPARE_OUT:-}
[[ -n $out && $out != *[$'\r\n']* ]] || refuse 'out: expected a path of one line'

program=${COMPARE_EXECUTABLE:-}
if [[ -z $program ]]; then
    environment=$(mktemp -d)
    python3 -m venv "$environment"
    "$environment/bin/pip" install --quiet --disable-pip-version-check "robocensus${COMPARE_VERSION:+==$COMPARE_VERSION}"
    program=$environment/bin/robocensus
fi
# A file, not a word that the shell itself knows, such as eval.
program=$(type -P -- "$program") || refuse 'executable: no such program'

comment=$out/comment.md junit=$out/junit.xml sarif=$out/results.sarif
words=("--baseline=${COMPARE_BASELINE:-}" "--candidate=${COMPARE_CANDIDATE:-}")
words+=("--out=$out" --overwrite "--markdown=$comment" "--junit=$junit" "--sarif=$sarif")
words+=(${COMPARE_REFERENCE:+"--reference=$COMPARE_REFERENCE"})
words+=(${COMPARE_DATA:+"--data=$COMPARE_DATA"} ${COMPARE_EXPECT:+"--expect=$COMPARE_EXPECT"})
words+=(${COMPARE_SAMPLE:+"--sample=$COMPARE_SAMPLE"} ${COMPARE_BUDGET:+"--budget=$COMPARE_BUDGET"} --)
while IFS= read -r archive; do
    words+=(${archive:+"$archive"})
done <<<"${COMPARE_ARCHIVES:-}"

code=0
"$program" compare "${words[@]}" </dev/null || code=$?

passed=false
[[ $code != 0 ]] || passed=true
echo "passed=$passed" >>"${GITHUB_OUTPUT:-/dev/null}"
# A comparison that stopped has no result; files of an earlier one may be there.
if [[ $code == [01] ]]; then
    printf '%s\n' "comment=$comment" "result=$out" "junit=$junit" "sarif=$sarif" >>"${GITHUB_OUTPUT:-/dev/null}"
    cat -- "$comment" >>"${GITHUB_STEP_SUMMARY:-/dev/null}"
fi
exit "$code"
