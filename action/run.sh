#!/bin/sh
# Tests what a change touches: the functions in which lines differ from a base,
# each as a whole, and the changed blocks themselves (criterion PATCH). Used by
# action.yml and gitlab-ci.yml; works by hand too:
#
#     KLABEL_BASE=main action/run.sh
#
# Environment (all but the first may be left out):
#   KLABEL_BASE        revision that the change is compared with
#   KLABEL             the program (klabel)
#   KLABEL_FILES       C files, one a line (the changed .c files)
#   KLABEL_CRITERIA    criteria beside PATCH (CC,MCC)
#   KLABEL_BUDGET      time for everything (5m)
#   KLABEL_FAIL_UNDER  least percentage of the feasible labels
#   KLABEL_ARGS        flags that say how the sources are compiled, separated by spaces
#   KLABEL_RUN_ARGS    further flags of klabel run
#   KLABEL_OUTPUT      where results go (klabel-out)
#
# Writes into KLABEL_OUTPUT: klabel.md, klabel.sarif, klabel.html, klabel.junit.xml,
# klabel.cobertura.xml, klabel.codequality.json. Ends as klabel run does: 3 is under KLABEL_FAIL_UNDER.
set -eu

klabel=${KLABEL:-klabel}
criteria=${KLABEL_CRITERIA:-CC,MCC}
output=${KLABEL_OUTPUT:-klabel-out}
if [ -z "${KLABEL_BASE:-}" ]; then
    echo "run.sh: KLABEL_BASE names no revision to compare with" >&2
    exit 2
fi

nothing() {
    mkdir -p "$output"
    echo "klabel: $1" | tee "$output/klabel.md"
    exit 0
}

case $KLABEL_BASE in
*[!0]*) base=$(git merge-base "$KLABEL_BASE" HEAD) ;;
*) # what services give for the revision before a branch's first push
    base=$(git merge-base origin/HEAD HEAD 2>/dev/null) || nothing "a first push has nothing to compare with."
    ;;
esac

# The files stand one a line, so that names may have spaces.
files=${KLABEL_FILES:-$(git -c core.quotepath=off diff --relative --name-only --diff-filter=d "$base" HEAD -- '*.c')}
[ -n "$files" ] || nothing "no C file was changed."
newline='
'
IFS=$newline
set -f
# shellcheck disable=SC2086 # one word a line is meant
set -- $files
IFS=' '
# shellcheck disable=SC2086 # one word a flag is meant
set -- "$@" ${KLABEL_ARGS:-} --revisions "$base..HEAD"
unset IFS

# A function is touched if PATCH labels something in it.
list=$("$klabel" labels "$@" --criteria PATCH --format json)
functions=$(echo "$list" |
    sed -n 's/^ *"function": "\([^"]*\)",\{0,1\}$/\1/p' | sort -u | paste -s -d, -)
[ -n "$functions" ] || nothing "the change touches no statement of a function."
echo "klabel: testing $functions"

status=0
# shellcheck disable=SC2086 # one word a flag is meant
"$klabel" run "$@" --all-functions --functions "$functions" --criteria "$criteria,PATCH" \
    --budget "${KLABEL_BUDGET:-5m}" --fail-under "${KLABEL_FAIL_UNDER:-0}" -o "$output" ${KLABEL_RUN_ARGS:-} || status=$?
if [ -f "$output/klabel.db" ]; then
    for format in md:markdown sarif:sarif html:html junit.xml:junit cobertura.xml:cobertura \
        codequality.json:codequality; do
        "$klabel" report "$output" --format "${format#*:}" -o "$output/klabel.${format%%:*}"
    done
fi
exit "$status"
