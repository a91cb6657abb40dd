# Runs the hooks for the tests as driver.py does.
set -eu
. "$HOOKS/maru.sh"
MARU_TIMEOUT_MS=$TIMEOUT_MS
tab=$(printf '\t')

# Takes the first word of the line.
take() {
  word=${line%%"$tab"*}
  case "$line" in *"$tab"*) line=${line#*"$tab"} ;; *) line='' ;; esac
}

MARU_RESULT=$(mktemp)
trap 'rm -f "$MARU_RESULT" "$MARU_RESULT.undone"' EXIT

outcome() {
  tr ' ' "$tab" < "$MARU_RESULT"
}

undo() {
  case "$1" in *unsaved) return 1 ;; esac
  printf '%s!%s!%s\n' "$1" "$2" "$3" >> "$MARU_RESULT.undone"
  # Ends the process as kill -9 does, between a callback and what follows it.
  if [ -n "$DIE" ]; then sh -c "kill -9 $$ \$PPID"; fi
}

joined() {
  paste -s -d "$tab" -
}

while IFS= read -r line; do
  take; call=$word
  take; one=$word
  rest=$line
  take; two=$word
  take; three=$word
  four=$line
  case "$call" in
    register)
      result=$(maru_register "$one" "$two" $three)
      result=${result:--}$tab$(outcome | cut -f 1,2)
      ;;
    settle)
      # A shell gives no other time than the present.
      maru_register "$one" "$two" > /dev/null
      result=$(outcome | cut -f 3)
      ;;
    everywhere)
      result=$(maru_logout_everywhere "$one")
      result=$(if [ -n "$result" ]; then echo true; else echo false; fi)
      ;;
    cookies) result=$(maru_cookies "$one" "$two" | joined) ;;
    verify)
      result=$(HTTP_COOKIE=$one maru_verify)
      result=$(printf %s "$result" | sed "s/^allowed /yes$tab/; s/^refused /no$tab/")
      ;;
    logout)
      result=$(HTTP_COOKIE=$one maru_logout "$two" | joined)
      if [ -n "$result" ]; then
        case "$one" in *svcs_*) result=true$tab$result ;; *) result=false$tab$result ;; esac
      fi
      ;;
    leave)
      maru_leave "$one" > /dev/null
      result=$(outcome)
      ;;
    grant | revoke)
      "maru_$call" "$one" "$two" $three $four > /dev/null
      result=$(outcome)
      ;;
    grant_to)
      maru_grant "$one" "$two" '' '' "$three" > /dev/null
      result=$(outcome)
      ;;
    revoke_from)
      maru_revoke "$one" "$two" "$three" > /dev/null
      result=$(outcome)
      ;;
    event)
      result=$(maru_event "$one" "$two" "$three" '{"amount":1}' $four)
      result=${result:--}$tab$(outcome)
      ;;
    webhook)
      HTTP_WEBHOOK_ID=$one HTTP_WEBHOOK_TIMESTAMP=$two HTTP_WEBHOOK_SIGNATURE=$three
      export HTTP_WEBHOOK_ID HTTP_WEBHOOK_TIMESTAMP HTTP_WEBHOOK_SIGNATURE
      if printf %s "$four" | maru_webhook; then result=true; else result=false; fi
      ;;
    flush)
      before=$(ls "$MARU_OUTBOX" 2> /dev/null | grep -vE 'refused|unreadable' | wc -l)
      : > "$MARU_RESULT.undone"
      late=$(maru_flush undo | tr ' ' =)
      late=$(printf '%s\n' $late $(cat "$MARU_RESULT.undone"))
      after=$(ls "$MARU_OUTBOX" 2> /dev/null | grep -vE 'refused|unreadable' | wc -l)
      result=$(printf '%s\n' "$((before - after))" "$after" ${late:+"$late"} | joined)
      ;;
    *)
      late=$(printf '%s\n' "$one$tab$rest" | tr "$tab" '\n' | paste -d "$tab" - - - | maru_reconcile | tr ' ' =)
      count=$(printf %s "${late:+"$late
"}" | wc -l)
      result=$(printf '%s\n' "$count" ${late:+"$late"} | joined)
      ;;
  esac
  printf '%s\n' "${result:--}"
done
