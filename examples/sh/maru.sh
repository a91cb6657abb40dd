# Hooks of the members service of Maru, for any POSIX shell with curl. Copy this file and source it:
#
#   . ./maru.sh
#   uid=$(maru_register asha@example.com 77)   # after a confirmed sign-up, and a change of address; empty on failure
#
# No function fails, except maru_webhook, whose status is its answer, and none takes longer than MARU_TIMEOUT_MS,
# whatever the service answers. After a time-out calls fail at once for some seconds. A failure is a line on stderr. The
# settings are variables:
#
#   MARU_URL             address of the members service, such as https://id.example.com
#   MARU_API_KEY         the platform's key, svck_...
#   MARU_PLATFORM        the platform's code
#   MARU_ORIGIN          one of the platform's registered origins, for maru_logout
#   MARU_OUTBOX          optional folder of undelivered calls; all processes of a machine can share it
#   MARU_COOKIE_DOMAIN   domain of the session cookies, such as example.com; empty for those of one host
#   MARU_WEBHOOK_SECRET  optional secret of the webhook endpoint, whsec_...
#   MARU_TIMEOUT_MS      optional time of a whole call, 3000 by default
#   MARU_RESULT          optional file that gets the outcome of maru_register, maru_leave, maru_event, maru_grant and
#                        maru_revoke, and a code: done; waiting in the outbox; refused for good; or lost, without an outbox.
#                        After a code the address of a registration, unless a later one of the user counts
#
# maru_verify, maru_logout and maru_webhook read the request as a CGI program does: HTTP_COOKIE, HTTP_WEBHOOK_ID and so
# on. Functions run in subshells and leave no variables behind. No key and no address is an argument of a program.

# Registers a user: maru_register EMAIL LOCAL_USER_ID [true|false]. Prints the svc_uid. From then on the user is let in to
# the accounts with that address on other platforms: call it once the address is confirmed, or with false before that.
# Prints nothing also while another user of yours has the address: their uid is not for this user.
maru_register() (
  maru__begin
  maru__verified=${3:+",\"email_verified\":$3"}
  maru__register "$1" "$2"
  exit 0
)

# Ends the membership of a user who closed the account: maru_leave LOCAL_USER_ID. Prints "left" once it is done.
maru_leave() (
  maru__begin
  body="{\"local_user_id\":$(maru__quoted "$1"),\"requested_at\":\"$(maru__now)\"}"
  if maru__deliver 'member not removed' /members/leave "$body" "leave $1"; then echo left; fi
)

# Logs an event: maru_event SVC_UID visit|login|purchase|referral EVENT_ID [META [TIME]]. The id, such as an order
# number, counts once. META is a JSON object. Prints the id. Without a SVC_UID it calls nothing: log the event again
# once the uid is saved, with the TIME at which it occurred, as maru_reconcile takes it.
maru_event() (
  maru__begin
  if [ -z "$1" ]; then
    maru__fail 'the user has no svc_uid yet'
    maru__warn "event not logged: $(maru__about "event $3")"
    maru__report lost no_svc_uid
    exit 0
  fi
  failure='event not logged' refusal=''
  at="\"$(maru__time_text "${5:-$(maru__now)}")\""
  if [ "$at" = '""' ]; then
    at=$(maru__quoted "$5") refusal=occurred_at failure="$failure, $maru__no_zone"
  fi
  body="{\"svc_uid\":$(maru__quoted "$1"),\"platform\":$(maru__quoted "$MARU_PLATFORM")"
  body="$body,\"event\":$(maru__quoted "$2"),\"event_id\":$(maru__quoted "$3")"
  body="$body,\"meta\":${4:-"{}"},\"occurred_at\":$at}"
  if maru__deliver "$failure" /members/events "$body" "event $3" "$refusal"; then printf '%s\n' "$3"; fi
)

# Grants an entitlement, such as after a payment: maru_grant SVC_UID CODE [UNTIL [SINCE [LOCAL_USER_ID]]]. It is without
# an end if UNTIL is empty, and from now on without SINCE; times are as maru_reconcile takes them. Prints the code. A
# repeat changes nothing. Without a SVC_UID it calls nothing: grant it again once the uid is saved. With the id of your
# user it reaches no other user who has the SVC_UID by now. The key needs the scope members:entitle.
maru_grant() (
  maru__begin
  maru__period='' refusal='' failure='entitlement not granted'
  for maru__part in "until=$3" "from=$4"; do
    if [ -z "${maru__part#*=}" ]; then continue; fi
    maru__at="\"$(maru__time_text "${maru__part#*=}")\""
    if [ "$maru__at" = '""' ]; then
      maru__at=$(maru__quoted "${maru__part#*=}") refusal=invalid_period
      failure="entitlement not granted, $maru__no_zone"
    fi
    maru__period="$maru__period,\"${maru__part%%=*}\":$maru__at"
  done
  maru__entitle "$failure" PUT "$1" "$2" "$maru__period" "$refusal" "$5"
)

# Ends what this platform granted of a code, such as after a refund: maru_revoke SVC_UID CODE [LOCAL_USER_ID]. Prints the
# code, also if there is nothing to end.
maru_revoke() (
  maru__begin
  maru__entitle 'entitlement not revoked' DELETE "$1" "$2" '' '' "$3"
)

# Signs the user in on all platforms: maru_cookies EMAIL LOCAL_USER_ID. Prints Set-Cookie values, one a line: relay each
# as its own header. The first begins with svc_sso=svcs_. Otherwise there is no shared session, and they clear an
# earlier person's.
maru_cookies() (
  maru__begin
  body="{\"email\":$(maru__quoted "$1"),\"platform\":$(maru__quoted "$MARU_PLATFORM")"
  body="$body,\"local_user_id\":$(maru__quoted "$2")}"
  if [ -z "$2" ]; then
    maru__fail 'the user has no id'
  elif maru__call /auth/sso/issue "$body" && [ -s "$maru__dir/cookies" ]; then
    cat "$maru__dir/cookies"
    exit 0
  fi
  maru__warn 'no single sign-on for a login'
  maru__cleared_cookies
)

# Prints Set-Cookie values for a login without maru_cookies. They clear the session of an earlier person.
maru_cleared_cookies() (
  maru__begin
  maru__cleared_cookies
)

# Verifies the visitor's HTTP_COOKIE. Prints "allowed LOCAL_USER_ID" or "refused REASON", and nothing if the service was
# not reached: your own session counts then. While a registration or an end of the user waits in the outbox, the address
# may be another person's: nobody is signed in as the user.
maru_verify() (
  maru__begin
  members='' verdict='refused session_ended'
  # Read first: a call that is delivered meanwhile can be newer than the verdict.
  if [ -n "$(maru__tokens)" ]; then maru__names > "$maru__dir/names"; fi
  for token in $(maru__tokens); do
    if ! maru__call /auth/sso/verify "{\"token\":\"$token\"}"; then
      maru__warn 'session not verified'
      exit 0
    fi
    if ! grep -q '"active":true' "$maru__dir/answer"; then continue; fi
    uid=$(maru__uid)
    # Sessions of two members are ambiguous.
    case "$members" in
      '' | "$uid") ;;
      *) verdict='refused session_ended'; break ;;
    esac
    members=$uid
    if maru__is_in "$maru__dir/names" "sessions $uid"; then
      verdict='refused session_ended'
    elif grep -q '"sign_in_allowed":true' "$maru__dir/answer"; then
      user=$(maru__member_of 's/.*"membership":\{.*"local_user_id":"(([^"\\]|\\.)*)".*/\1/p')
      verdict="allowed $user"
      for key in "user $user" "leave $user"; do
        if maru__is_in "$maru__dir/names" "$key"; then verdict='refused no_membership'; fi
      done
    else
      verdict="refused $(maru__member_of 's/.*"reason":"([a-z_]*)".*/\1/p')"
    fi
  done
  printf '%s\n' "$verdict"
)

# Ends the session in HTTP_COOKIE: maru_logout [all]. Prints the Set-Cookie values to relay, which clear the pair, and
# nothing if the service was not reached: the shared session is still live then. Without a session there is nothing to
# end: maru_logout_everywhere ends those of other devices.
maru_logout() (
  maru__begin
  if [ -z "$(maru__tokens)" ]; then
    maru__cleared_cookies
    exit 0
  fi
  if maru__call /auth/logout "{\"scope\":\"${1:-one}\"}" visitor; then cat "$maru__dir/cookies"; else
    maru__warn 'shared session not ended'
  fi
)

# Ends all shared sessions of a member, such as after a new password: maru_logout_everywhere SVC_UID. Prints "ended" once
# it is done. Otherwise maru_flush repeats it, and until then maru_verify accepts no session of the member; without an
# outbox repeat it yourself. It is "ended" also for a user who has none: without a svc_uid, erased, or no member of this
# platform. A member of whom the platform verified no address keeps the sessions that other platforms began.
maru_logout_everywhere() (
  maru__begin
  if [ -z "$1" ]; then
    echo ended
    exit 0
  fi
  body="{\"svc_uid\":$(maru__quoted "$1"),\"platform\":$(maru__quoted "$MARU_PLATFORM"),\"scope\":\"all\"}"
  if maru__deliver 'shared sessions not ended' /auth/sso/revoke "$body" "sessions $1"; then echo ended; fi
)

# Verifies the signature of a webhook: its raw body on stdin, its headers in HTTP_WEBHOOK_ID, _TIMESTAMP and _SIGNATURE.
# Status 0 if it is genuine. For `if maru_webhook < body`.
maru_webhook() (
  maru__begin
  if [ -z "$MARU_WEBHOOK_SECRET" ]; then
    echo 'members: no webhook is accepted: MARU_WEBHOOK_SECRET is not set' >&2
  fi
  cat > "$maru__dir/body"
  case "$HTTP_WEBHOOK_TIMESTAMP" in '' | *[!0-9]* | ?????????????*) exit 1 ;; esac
  # A leading zero would make it octal.
  at=$(printf %s "$HTTP_WEBHOOK_TIMESTAMP" | sed 's/^0*//')
  age=$(($(date +%s) - ${at:-0}))
  if [ "$age" -gt 300 ] || [ "$age" -lt -300 ]; then exit 1; fi
  key=$(printf %s "${MARU_WEBHOOK_SECRET#whsec_}" | base64 -d 2> "$maru__dir/error" | maru__hex)
  if [ -s "$maru__dir/error" ] || [ -z "$key" ]; then exit 1; fi
  {
    maru__pad "$key" 54
    printf '%s.%s.' "$HTTP_WEBHOOK_ID" "$HTTP_WEBHOOK_TIMESTAMP"
    cat "$maru__dir/body"
  } | maru__sha256 > "$maru__dir/inner"
  expected=$({
    maru__pad "$key" 92
    maru__bytes "$(cat "$maru__dir/inner")"
  } | maru__sha256)
  expected=v1,$(maru__bytes "$expected" | base64 | tr -d '\n')
  set -f
  # During a change of the secret there is a signature of each.
  # shellcheck disable=SC2086 # Signatures are separated by spaces.
  set -- $HTTP_WEBHOOK_SIGNATURE
  count=0
  for given in "$@"; do
    count=$((count + 1))
    if [ "$count" -gt 8 ]; then break; fi
    # Digests are compared, so that the time says nothing about the signature.
    if [ "$(printf %s "$given" | maru__sha256)" = "$(printf %s "$expected" | maru__sha256)" ]; then exit 0; fi
  done
  exit 1
)

# Sends undelivered calls again; run it every minute: maru_flush [UNDO]. Prints "LOCAL_USER_ID SVC_UID EMAIL" for each late
# registration, without the EMAIL if a later one of the user counts. UNDO LOCAL_USER_ID CODE EMAIL is called for each that was refused for good, and again if it fails or if
# the process is killed: undo the address if the user has it still. A call that cannot go waits, and the others go on. Stops after three failures of the service in a row.
maru_flush() (
  maru__begin
  maru__undo=$1
  maru__patient=yes
  failures=0
  unscoped=' '
  newline='
'
  blocked=$newline
  : > "$maru__dir/contested"
  maru__warn_if_unreadable
  maru__drop_drafts
  for name in $(maru__names); do
    if [ "$failures" = 3 ]; then break; fi
    entry=$(cat "$MARU_OUTBOX/$name" 2> /dev/null) || continue
    path=$(printf '%s\n' "$entry" | sed -nE 's/^\{"path": ?"([^"]*)".*/\1/p' | sed 's/\\//g')
    body=$(printf '%s\n' "$entry" | sed -nE 's/^\{"path": ?"[^"]*", ?"body": ?(\{.*\})\}$/\1/p')
    if [ -z "$body" ]; then
      if mkdir -p "$MARU_OUTBOX/unreadable" && mv "$MARU_OUTBOX/$name" "$MARU_OUTBOX/unreadable/$name"; then
        echo "members: an unreadable file of the outbox is kept in unreadable/$name" >&2
      fi
      continue
    fi
    id=$(printf '%s\n' "$body" | sed -nE 's/^\{[^{}]*"local_user_id": ?"(([^"\\]|\\.)*)".*/\1/p')
    event=$(printf '%s\n' "$body" | sed -nE 's/^\{.*"event_id": ?"(([^"\\]|\\.)*)".*/\1/p')
    case "$path" in
      /members/events) key="event $event" ;;
      /members/leave) key="leave $id" ;;
      /auth/sso/revoke) key="sessions $(printf '%s\n' "$body" | sed -nE 's/.*"svc_uid": ?"([^"]*)".*/\1/p')" ;;
      *entitlements*)
        id=$(maru__entitlement_of "$body")
        key="entitlement $id"
        ;;
      *) key="user $id" ;;
    esac
    # An id may have been given to another user: the former one leaves first.
    is_blocked=$(case "$unscoped" in *" $path "*) echo yes ;; esac)
    if [ -n "$id" ]; then case "$blocked" in *"$newline$id$newline"*) is_blocked=yes ;; esac; fi
    if [ -n "$is_blocked" ]; then
      blocked=$blocked$id$newline
      continue
    fi
    maru__end
    maru__answered "$path" "$body"
    case $? in
      0)
        failures=0
        if [ "$path" = /members/register ] && maru__is_mismatch; then
          printf '%s\t%s\t%s\n' "$name" "$id" "$body" >> "$maru__dir/contested"
          continue
        fi
        if [ "$path" = /members/register ]; then maru__late_uid "$id" "$body"; fi
        maru__drop "$name" "$key"
        ;;
      2)
        if [ "$path" != /members/register ] || maru__undone "$id" "$(cat "$maru__dir/error")" "$body"; then
          maru__refuse 'an undelivered call was refused for good' "$name" "$key"
        fi
        ;;
      *)
        maru__warn "an undelivered call is kept: $(maru__about "$key")"
        blocked=$blocked$id$newline
        if [ "$(cat "$maru__dir/error")" = insufficient_scope ]; then
          unscoped="$unscoped$path "
        else
          failures=$((failures + 1))
        fi
        ;;
    esac
  done
  if [ "$failures" -lt 3 ]; then maru__settle; fi
  exit 0
)

# Registers the users that the service lacks; run it every night. Reads lines of address, local user id and the time
# from which the user has that address (of its confirmation), separated by tabs. The time is ISO 8601
# with its zone, or seconds or milliseconds since 1970. With it a user who left or was erased later is not registered
# again; a user without it is skipped. Leave out users whose address is not confirmed. Prints a line for each as maru_flush
# does. Stops at the first call that fails.
maru_reconcile() (
  maru__begin
  maru__patient=yes
  : > "$maru__dir/contested"
  maru__warn_if_unreadable
  tab=$(printf '\t')
  skipped=0
  while :; do
    : > "$maru__dir/users"
    count=0
    while [ "$count" -lt 500 ] && IFS="$tab" read -r email id at; do
      at=$(maru__time_text "$at")
      if [ -z "$at" ]; then
        if [ "$skipped" = 0 ]; then first=$(maru__about "user $id"); fi
        skipped=$((skipped + 1))
        continue
      fi
      count=$((count + 1))
      hash=$(printf %s "$email" | sed 's/^[[:space:]]*//; s/[[:space:]]*$//' | LC_ALL=C tr A-Z a-z | maru__sha256)
      printf '%s\t%s\t%s\t%s\n' "$hash" "$email" "$id" "$at" >> "$maru__dir/users"
    done
    if [ "$count" = 0 ]; then break; fi
    hashes=$(cut -f 1 "$maru__dir/users" | sed 's/.*/"&"/' | paste -s -d , -)
    ids=$(cut -f 3 "$maru__dir/users" | sed 's/[\\"]/\\&/g; s/.*/"&"/' | paste -s -d , -)
    maru__end
    body="{\"platform\":$(maru__quoted "$MARU_PLATFORM"),\"hashes\":[$hashes],\"local_user_ids\":[$ids]}"
    if ! maru__call /members/reconcile "$body"; then
      maru__warn 'members not reconciled'
      break
    fi
    grep -oE '"[0-9a-f]{64}"' "$maru__dir/answer" | tr -d '"' > "$maru__dir/hashes"
    grep -F -f "$maru__dir/hashes" "$maru__dir/users" > "$maru__dir/missing"
    while IFS="$tab" read -r _ email id at; do
      body=$(maru__registration "$email" "$id" "$at")
      maru__end
      maru__answered /members/register "$body"
      case $? in
        0)
          if maru__is_mismatch; then printf '%s\t%s\t%s\n' - "$id" "$body" >> "$maru__dir/contested"
          else maru__late_uid "$id" "$body"; fi
          ;;
        2) maru__warn "member not registered: $(maru__about "user $id")" ;;
        *)
          maru__warn "member not registered: $(maru__about "user $id")"
          break 2
          ;;
      esac
    done < "$maru__dir/missing"
  done
  maru__settle
  if [ "$skipped" = 0 ]; then exit 0; fi
  maru__fail "$first: $maru__no_zone"
  maru__warn "users skipped by reconcile: $skipped, the first"
)

# Grants or revokes an entitlement: FAILURE METHOD SVC_UID CODE [PERIOD].
maru__entitle() {
  if [ -z "$3" ]; then
    maru__fail 'the user has no svc_uid yet'
    maru__warn "$1: $(maru__about "entitlement $4")"
    maru__report lost no_svc_uid
    return
  fi
  maru__user=''
  if [ -n "$7" ]; then maru__user=",\"expected_local_user_id\":$(maru__quoted "$7")"; fi
  body="{\"svc_uid\":$(maru__quoted "$3"),\"code\":$(maru__quoted "$4")$5$maru__user}"
  maru__what=$1 maru__refusal=$6
  if [ "$(maru__entitlement_of "$body")" != "$3 $4" ]; then
    maru__what="$1, a code is small letters, digits and ._-" maru__refusal=unknown_entitlement
  fi
  maru__path="$2 /members/{svc_uid}/entitlements/{code}"
  if maru__deliver "$maru__what" "$maru__path" "$body" "entitlement $3 $4" "$maru__refusal"; then echo "$4"; fi
}

# Prints the SVC_UID and the code in the BODY of a grant or a revocation.
maru__entitlement_of() {
  printf '%s\n' "$1" |
    sed -nE 's/.*"svc_uid": ?"(svc_[a-z2-7]+)", ?"code": ?"([a-z0-9][a-z0-9._-]{0,63})".*/\1 \2/p'
}

# Prepares a function's subshell: no option of the caller ends it, and its files are its own.
maru__begin() {
  set +eu
  umask 077
  MARU_URL=$(maru__trimmed "$MARU_URL" | sed 's:/*$::')
  MARU_API_KEY=$(maru__trimmed "$MARU_API_KEY")
  MARU_OUTBOX=$(maru__trimmed "$MARU_OUTBOX")
  MARU_COOKIE_DOMAIN=$(maru__trimmed "$MARU_COOKIE_DOMAIN")
  maru__dir=$(mktemp -d "${TMPDIR:-/tmp}/maru.XXXXXXXX") || exit 0
  trap 'rm -rf "$maru__dir"' EXIT
  maru__end
}

# Sets the end of a call's time.
maru__end() {
  maru__end_ms=$(($(maru__ms) + ${MARU_TIMEOUT_MS:-3000}))
}

maru__register() {
  # A call may arrive after a later one: the times say which statement counts.
  maru__deliver 'member not registered' /members/register "$(maru__registration "$1" "$2" "$(maru__now)")" "user $2" ||
    return
  maru__own_uid "user $2"
}

# Prints the body of a registration: EMAIL LOCAL_USER_ID [TIME].
maru__registration() {
  printf '{"email":%s,"platform":%s,"local_user_id":%s%s%s}' "$(maru__quoted "$1")" \
    "$(maru__quoted "$MARU_PLATFORM")" "$(maru__quoted "$2")" "${3:+",\"requested_at\":\"$3\""}" "$maru__verified"
}

# Registers users who took over addresses of each other in one call, which settles them together, and asks for the uid
# of each. A call of the outbox whose address another user keeps waits while others do.
maru__settle() {
  if [ ! -s "$maru__dir/contested" ]; then return; fi
  maru__others=$(($(maru__names | wc -l) - $(grep -vc '^-' "$maru__dir/contested")))
  split -l 500 "$maru__dir/contested" "$maru__dir/part."
  for maru__part in "$maru__dir"/part.*; do
    maru__end
    if ! maru__call /members/register/batch "{\"registrations\":[$(cut -f 3- "$maru__part" | paste -s -d , -)]}"; then
      maru__warn 'members not registered'
      return
    fi
  done
  maru__tab=$(printf '\t')
  while IFS="$maru__tab" read -r maru__name maru__id maru__body; do
    maru__end
    if ! maru__answered /members/register "$maru__body"; then
      maru__warn "member not registered: $(maru__about "user $maru__id")"
      continue
    fi
    # The other user of an exchange may change the address within an hour.
    maru__since=$(($(maru__ms) - 3600000))
    if maru__is_mismatch && [ "$maru__name" != - ] &&
      { [ "$maru__others" -gt 0 ] || { maru__is_moving && [ "${maru__name%%-*}" -gt "$maru__since" ]; }; }; then
      continue
    fi
    maru__late_uid "$maru__id" "$maru__body"
    if [ "$maru__name" = - ] || { maru__is_mismatch && ! maru__undone "$maru__id" local_user_id_mismatch "$maru__body"; }; then
      continue
    fi
    maru__drop "$maru__name" "user $maru__id"
  done < "$maru__dir/contested"
}

# Lets the platform undo a registration that was refused for good: LOCAL_USER_ID CODE BODY. Status 1 if that fails.
maru__undone() {
  if [ -z "$maru__undo" ] || "$maru__undo" "$1" "$2" "$(maru__email_of "$3")" >&2; then return 0; fi
  maru__fail 'the refusal was not taken'
  maru__warn "an undelivered call is kept: $(maru__about "user $1")"
  return 1
}

# Prints "LOCAL_USER_ID SVC_UID EMAIL" of a registration: LOCAL_USER_ID BODY.
maru__late_uid() {
  maru__found=$(maru__own_uid "user $1")
  if [ -n "$maru__found" ]; then printf '%s %s%s\n' "$1" "$maru__found" "$(maru__settled_email "$2")"; fi
}

# Prints the address of a registration after a space, and nothing if a later one of the user counts: BODY.
maru__settled_email() {
  if ! grep -q '"code":"registration_outdated","pointer"' "$maru__dir/answer"; then printf ' %s' "$(maru__email_of "$1")"; fi
}

# Prints the address in the BODY of a registration.
maru__email_of() {
  printf '%s\n' "$1" | sed -nE 's/^\{[^{}]*"email": ?"(([^"\\]|\\.)*)".*/\1/p'
}

# Status 0 for an address that another user of the platform has.
maru__is_mismatch() {
  grep -q '"code":"local_user_id_mismatch","pointer"' "$maru__dir/answer"
}

# Status 0 for a known user whose new address another one has: the two may be exchanging theirs.
maru__is_moving() {
  grep -q '"code":"email_taken","pointer"' "$maru__dir/answer"
}

# Removes a call that was refused for good: WHAT NAME KEY. It is kept in the folder refused, except a user's.
maru__refuse() {
  maru__kept=''
  case "$3" in
    'event '* | 'entitlement '* | 'sessions '*)
      if [ -n "$2" ] && mkdir -p "$MARU_OUTBOX/refused" && mv "$MARU_OUTBOX/$2" "$MARU_OUTBOX/refused/$2"; then
        maru__keep "$2"
      fi 2> /dev/null
      ;;
  esac
  maru__warn "$1: $(maru__about "$3")$maru__kept"
  if [ -n "$2" ]; then maru__drop "$2" "$3"; fi
}

# Makes the place of a refused call for the log, NAME. An earlier one of the same event is removed.
maru__keep() {
  maru__kept=", kept in refused/$1"
  for maru__earlier in "$MARU_OUTBOX/refused"/*"${1#*-*-}"; do
    if [ "${maru__earlier##*/}" != "$1" ]; then rm -f "$maru__earlier"; fi
  done
}

# Writes the outcome and the code of a call for MARU_RESULT.
maru__report() {
  if [ -n "$MARU_RESULT" ]; then printf '%s %s\n' "$1" "${2:--}" > "$MARU_RESULT"; fi
}

# Writes the outcome of a call that was not delivered.
maru__report_failure() {
  maru__reason=$(grep -xE '[a-z]+(_[a-z]+)+' "$maru__dir/error")
  if [ -n "$maru__name" ]; then maru__report waiting "${maru__reason:-unreachable}"
  else maru__report lost "${maru__reason:-unreachable}"; fi
}

maru__cleared_cookies() {
  for maru__domain in ${MARU_COOKIE_DOMAIN:+"Domain=$MARU_COOKIE_DOMAIN; "} ''; do
    printf 'svc_sso=; %sPath=/; Max-Age=0; HttpOnly; SameSite=Lax\n' "$maru__domain"
    printf 'svc_uid=; %sPath=/; Max-Age=0; SameSite=Lax\n' "$maru__domain"
  done
}

# Prints the svc_uid of a registered user and logs the warnings. Nothing if the uid is that of another user: KEY.
maru__own_uid() {
  maru__of=$(maru__about "$1")
  grep -oE '"code":"[a-z_]{1,40}","pointer"' "$maru__dir/answer" |
    sed 's/"code":"\(.*\)","pointer"/\1/' > "$maru__dir/codes"
  if ! grep -q '^local_user_id_mismatch$' "$maru__dir/codes"; then
    sed "s/^/members: $maru__of registered with the warning /" "$maru__dir/codes" >&2
    maru__uid
    return 0
  fi
  printf 'members: %s not registered (local_user_id_mismatch): the address belongs to your user with %s. ' \
    "$maru__of" "$(maru__uid)" >&2
  printf 'If that user has another address now, register both; ' >&2
  echo 'only if that account is closed, call maru_leave with its id' >&2
}

# Prints a KEY for the log. Some platforms use addresses as ids.
maru__about() {
  case "$1" in
    event*) maru__kind=event maru__shown=${1#* } ;;
    # Its last word is the code.
    entitlement*) maru__kind=entitlement maru__shown=${1##* } ;;
    sessions*) maru__kind='sessions of' maru__shown=${1#* } ;;
    *) maru__kind=user maru__shown=${1#* } ;;
  esac
  case "$maru__shown" in
    '' | *[!A-Za-z0-9_.:-]*) echo "$maru__kind with an id that is not logged" ;;
    *) echo "$maru__kind $maru__shown" ;;
  esac
}

maru__no_zone='no time with a zone, such as 2026-11-22T09:00:00Z'

# Calls at once, with the call in the outbox until it has an answer: FAILURE PATH BODY KEY [REFUSAL]. With the code of a
# refusal it is not sent: it is refused as if by the service.
maru__deliver() {
  case "$4" in
    'user '*[![:space:]]* | 'leave '*[![:space:]]* | 'event '* | 'entitlement '* | 'sessions '*) ;;
    *)
      maru__fail 'the user has no id'
      maru__warn "$1"
      maru__report refused local_user_id_missing
      return 2
      ;;
  esac
  if [ -n "$5" ]; then
    maru__name=$(maru__put "$4" "$2" "$3" refused) maru__kept=''
    if [ -n "$maru__name" ]; then maru__keep "$maru__name"; fi
    maru__fail "$5"
    maru__warn "$1: $(maru__about "$4")$maru__kept"
    maru__report refused "$5"
    return 2
  fi
  maru__name=$(maru__put "$4" "$2" "$3")
  case "$4" in
    'user '*) maru__before="leave ${4#* }" ;;
    'entitlement '*) maru__before=$4 ;;
    *) maru__before='' ;;
  esac
  if [ -n "$maru__name" ] && [ -n "$maru__before" ] && maru__waits "$maru__before" "$maru__name"; then
    maru__fail 'an earlier call waits'
    maru__warn "$1: $(maru__about "$4")"
    maru__report_failure
    return 1
  fi
  maru__answered "$2" "$3"
  case $? in
    0) ;;
    2)
      maru__reason=$(cat "$maru__dir/error")
      maru__refuse "$1" "$maru__name" "$4"
      maru__report refused "$maru__reason"
      return 2
      ;;
    *)
      maru__warn "$1: $(maru__about "$4")"
      maru__report_failure
      return 1
      ;;
  esac
  if [ "$2" = /members/register ] && maru__is_mismatch; then
    # The user who has the address may be about to give it up.
    if [ -n "$maru__name" ] && { maru__is_moving || [ "$(maru__names | wc -l)" -gt 1 ]; }; then
      echo "members: $(maru__about "$4") waits for an address that another user has" >&2
      maru__report waiting local_user_id_mismatch
      return 1
    fi
    maru__report refused local_user_id_mismatch
  elif [ "$2" = /members/register ]; then
    maru__report "done" "-$(maru__settled_email "$3")"
  else
    maru__report "done"
  fi
  if [ -n "$maru__name" ]; then maru__drop "$maru__name" "$4"; fi
  return 0
}

# As maru__call. A member without a link has left already.
maru__answered() {
  maru__call "$1" "$2"
  maru__status=$?
  case "$1 $(cat "$maru__dir/error")" in
    '/members/leave member_not_found') return 0 ;;
    '/auth/sso/revoke member_erased' | '/auth/sso/revoke member_not_found') return 0 ;;
    '/auth/sso/revoke email_unverified')
      maru__all=$(printf '%s' "$2" | sed 's/"scope": *"all"/"scope":"platform"/')
      if [ "$maru__all" != "$2" ]; then
        maru__answered "$1" "$maru__all"
        return
      fi
      ;;
  esac
  return "$maru__status"
}

# Calls PATH BODY [visitor] and leaves the files answer, cookies and error. Status 0, 1 if the same call may succeed
# later, 2 if it cannot. One time bounds names, headers and body. A key must not follow to another host: no -L. After a
# time-out only flush and reconcile call for some seconds: no visitor waits for a service that hangs.
maru__call() {
  : > "$maru__dir/error"
  maru__pause=${MARU_OUTBOX:-${TMPDIR:-/tmp}/maru-$(id -u)}/.paused
  maru__until=$(cat "$maru__pause" 2> /dev/null)
  if [ -z "$maru__patient" ] && [ "${maru__until:-0}" -gt "$(maru__ms)" ]; then
    maru__fail 'no call for some seconds after a time-out'
    return 1
  fi
  maru__left_ms=$((maru__end_ms - $(maru__ms)))
  if [ "$maru__left_ms" -lt 1 ]; then maru__left_ms=1; fi
  printf '%s' "$2" > "$maru__dir/request"
  : > "$maru__dir/headers"
  maru__method=POST maru__place=$1
  case "$1" in
    *' '*)
      maru__method=${1%% *}
      maru__place=$(maru__entitlement_of "$2" | sed 's:^:/members/:; s: :/entitlements/:')
      ;;
  esac
  {
    {
      printf 'url = "%s"\n' "$MARU_URL$maru__place"
      printf 'request = "%s"\n' "$maru__method"
      printf 'max-time = "%d.%03d"\n' $((maru__left_ms / 1000)) $((maru__left_ms % 1000))
      printf 'data-binary = "@%s"\ndump-header = "%s"\n' "$maru__dir/request" "$maru__dir/headers"
      printf 'header = "content-type: application/json"\nheader = "accept: application/json"\n'
      if [ "$3" = visitor ]; then
        maru__cookie=$(maru__tokens | sed 's/^/svc_sso=/' | paste -s -d ';' - | sed 's/;/; /g')
        printf 'header = "cookie: %s"\n' "$maru__cookie"
        printf 'header = "origin: %s"\nheader = "x-svc-client: maru.sh"\n' "$MARU_ORIGIN"
      else
        printf 'header = "x-api-key: %s"\n' "$MARU_API_KEY"
      fi
    } | curl -q -sf --no-fail --proto =http,https -K - 2> /dev/null
    echo $? > "$maru__dir/exit"
  } | head -c 1048577 | tr -d '\000' > "$maru__dir/answer"
  maru__code=$(sed -nE 's/^HTTP\/[0-9.]+ ([0-9]{3}).*/\1/p' "$maru__dir/headers" | tail -n 1)
  sed -nE 's/^[Ss][Ee][Tt]-[Cc][Oo][Oo][Kk][Ii][Ee]: *//p' "$maru__dir/headers" | tr -d '\r' > "$maru__dir/cookies"
  # Error 28 of curl is a time-out.
  if [ "$(cat "$maru__dir/exit")" = 28 ]; then
    mkdir -p "${maru__pause%/*}" && echo $(($(maru__ms) + 10000)) > "$maru__pause"
  elif [ -n "$maru__until" ]; then
    rm -f "$maru__pause"
  fi
  if [ "$(cat "$maru__dir/exit")" != 0 ]; then
    maru__fail "unreachable: curl error $(cat "$maru__dir/exit")"
    return 1
  fi
  # The service writes an object as one line without spaces.
  if ! grep -q '^{.*}$' "$maru__dir/answer" || [ "$(wc -l < "$maru__dir/answer")" -gt 1 ]; then
    maru__fail "status $maru__code without a JSON object"
    return 1
  fi
  case "$maru__code" in
    2??)
      if grep -qE "$(maru__expected "$1")" "$maru__dir/answer"; then return 0; fi
      maru__fail 'this is not the members service'
      return 1
      ;;
  esac
  maru__problem=$(maru__member_of 's/.*"code":"([a-z_]{1,40})","errors".*/\1/p')
  maru__fail "${maru__problem:-"status $maru__code"}"
  # A key can be replaced, its scopes extended, and an address corrected.
  case "$maru__code $maru__problem" in
    401* | *' ' | *insufficient_scope | *platform_disabled | *' not_found') return 1 ;;
  esac
  if grep -q '"retryable":true' "$maru__dir/answer"; then return 1; fi
  case "$maru__code" in 4??) return 2 ;; esac
  return 1
}

maru__expected() {
  case "$1" in
    /members/register | /auth/sso/issue) echo '"svc_uid":"svc_[a-z2-7]+"' ;;
    /members/reconcile) echo '"missing":\[' ;;
    /members/register/batch) echo '"results":\[' ;;
    /auth/sso/revoke) echo '"revoked":[0-9]' ;;
    /members/events) echo '"event_id":"' ;;
    /members/leave) echo '"left":(true|false)' ;;
    PUT*) echo '"entitlement":\{' ;;
    DELETE*) echo '"ended":[0-9]' ;;
    /auth/logout) echo '"ok":(true|false)' ;;
    /auth/sso/verify)
      echo '"active":(true|false).*"sign_in_allowed":(false|true.*"membership":\{.*"local_user_id":")'
      ;;
    *) echo 'no such call' ;;
  esac
}

maru__fail() {
  printf '%s' "$1" > "$maru__dir/error"
}

maru__warn() {
  printf 'members: %s (%s)\n' "$1" "$(cat "$maru__dir/error")" >&2
}

maru__uid() {
  maru__member_of 's/.*"svc_uid":"(svc_[a-z2-7]+)".*/\1/p'
}

# Prints a member of the answer. A quotation mark inside a string has a backslash, so that no text can imitate a member.
maru__member_of() {
  sed -nE "$1" "$maru__dir/answer" | head -n 1 | sed 's/\\\(["\\]\)/\1/g'
}

# Prints the session tokens of HTTP_COOKIE; other cookies are none of the service's business.
maru__tokens() {
  printf '%s\n' "$HTTP_COOKIE" | tr ';' '\n' | sed -nE 's/^ *svc_sso=(svcs_[a-z2-7]+) *$/\1/p' | head -n 8
}

# The outbox is a folder with a file for each undelivered call, which only its owner can read. A later registration of a
# user replaces an earlier one, so that an old address never overtakes a new one. A leave replaces both, and no
# registration replaces a leave: the id may have been given to another user. Grants and revocations replace nothing, and
# are sent in their order.
maru__names() {
  if [ -z "$MARU_OUTBOX" ]; then return; fi
  ls "$MARU_OUTBOX" 2> /dev/null | grep -E '^[0-9]{13}-[0-9a-f]{8}-[0-9a-f]{16}\.json$' | LC_ALL=C sort
}

# Logs that no call can be read, as in a job of another user. Before the first call there is no folder.
maru__warn_if_unreadable() {
  maru__fault='is not set'
  if [ -n "$MARU_OUTBOX" ]; then
    maru__first=$(maru__names | head -n 1)
    maru__fault=$({
      LC_ALL=C ls "$MARU_OUTBOX/." && if [ -n "$maru__first" ]; then LC_ALL=C cat "$MARU_OUTBOX/$maru__first"; fi
    } 2>&1 > /dev/null)
    case "$maru__fault" in '' | *'No such file'*) return ;; esac
    maru__fault='cannot be read'
  fi
  echo "members: MARU_OUTBOX $maru__fault: run this as the web server's user, with its variables" >&2
}

# Writes a file for a call, KEY PATH BODY, and prints its name; nothing without an outbox. With a FOLDER it is written there,
# because it is never sent.
maru__put() {
  if [ -z "$MARU_OUTBOX" ]; then return; fi
  maru__new="$(maru__ms)-$(head -c 4 /dev/urandom | maru__hex)-$(maru__digest "$1").json"
  maru__draft=$MARU_OUTBOX/.$maru__new
  if {
    mkdir -p "$MARU_OUTBOX/$4" && [ "$(maru__names | wc -l)" -lt 10000 ] &&
      printf '{"path":"%s","body":%s}\n' "$2" "$3" > "$maru__draft" && mv "$maru__draft" "$MARU_OUTBOX/$4/$maru__new"
  } 2> /dev/null; then
    if [ -z "$4" ]; then maru__drop_earlier "$maru__new" "$1"; fi
    printf %s "$maru__new"
  else
    rm -f "$maru__draft"
    echo 'members: the outbox failed' >&2
  fi
}

# Removes the drafts of processes that were killed. A young one may be in use.
maru__drop_drafts() {
  if [ -z "$MARU_OUTBOX" ]; then return; fi
  maru__before=$(($(maru__ms) - 3600000))
  for maru__draft in $(ls -A "$MARU_OUTBOX" 2> /dev/null | grep -E '^\.[0-9]{13}-[0-9a-f]{8}-[0-9a-f]{16}\.json$'); do
    maru__at=${maru__draft#.}
    if [ "${maru__at%%-*}" -lt "$maru__before" ]; then rm -f "$MARU_OUTBOX/$maru__draft"; fi
  done
}

maru__drop() {
  rm -f "$MARU_OUTBOX/$1"
  maru__drop_earlier "$1" "$2"
}

# Removes the earlier calls that a call replaces: NAME KEY.
maru__drop_earlier() {
  case "$2" in
    leave*) maru__also="user ${2#* }" ;;
    entitlement*) return ;;
    *) maru__also=$2 ;;
  esac
  for maru__other in $({ maru__names; echo "$1"; } | LC_ALL=C sort -u); do
    if [ "$maru__other" = "$1" ]; then break; fi
    case "$maru__other" in
      *"-$(maru__digest "$2").json" | *"-$(maru__digest "$maru__also").json") rm -f "$MARU_OUTBOX/$maru__other" ;;
    esac
  done
}

# Status 0 if a call with the KEY waits that is older than a file: KEY NAME.
maru__waits() {
  { maru__names; echo "$2"; } | LC_ALL=C sort -u | sed "/^$2\$/,\$d" | grep -q -e "-$(maru__digest "$1").json"
}

# Status 0 if one of the names in a file is a call with a key: FILE KEY.
maru__is_in() {
  grep -q -e "-$(maru__digest "$2").json" "$1"
}

maru__digest() {
  printf %s "$1" | maru__sha256 | cut -c 1-16
}

# Prints a JSON string.
maru__quoted() {
  printf '"%s"' "$(printf %s "$1" | LC_ALL=C tr -d '\000-\037' | sed 's/[\\"]/\\&/g')"
}

maru__trimmed() {
  printf %s "$1" | LC_ALL=C tr -d '[:space:]'
}

# Prints a time as the service reads it: ISO 8601 with its zone, or a number since 1970. Nothing for any other.
maru__time_text() {
  case "$1" in
    '') ;;
    *[!0-9]*)
      printf '%s\n' "$1" |
        grep -E '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,9})?)?(Z|[+-][0-9]{2}:?[0-9]{2})$'
      ;;
    ????????????????*) ;;
    # From the year 5138 on, in seconds, it is milliseconds.
    ????????????*) maru__of_seconds "${1%???}" ;;
    *) maru__of_seconds "$1" ;;
  esac
}

maru__of_seconds() {
  # GNU, then BSD.
  date -u -d "@$1" +%Y-%m-%dT%H:%M:%SZ 2> /dev/null || date -u -r "$1" +%Y-%m-%dT%H:%M:%SZ 2> /dev/null
}

maru__now() {
  maru__time=$(date -u +%Y-%m-%dT%H:%M:%S.%3NZ)
  # Only GNU has milliseconds.
  case "$maru__time" in *N*) maru__time=$(date -u +%Y-%m-%dT%H:%M:%SZ) ;; esac
  echo "$maru__time"
}

maru__ms() {
  maru__time=$(date +%s%3N)
  # Only GNU has milliseconds.
  case "$maru__time" in *N) maru__time=$(date +%s)000 ;; esac
  printf %s "$maru__time"
}

maru__sha256() {
  if command -v sha256sum > /dev/null; then sha256sum; else shasum -a 256; fi | cut -c 1-64
}

maru__hex() {
  od -An -v -tx1 | tr -d ' \n'
}

# Prints bytes of hexadecimal digits.
maru__bytes() {
  # shellcheck disable=SC2046,SC2059 # Numbers, and escapes made of them.
  printf "$(printf '\\%03o' $(printf %s "$1" | sed 's/../0x& /g'))"
}

# Prints a key of HMAC as a block of 64 bytes, each combined with a number: HEX NUMBER.
maru__pad() {
  maru__key=$1
  if [ "${#maru__key}" -gt 128 ]; then maru__key=$(maru__bytes "$maru__key" | maru__sha256); fi
  while [ "${#maru__key}" -lt 128 ]; do maru__key=${maru__key}00; done
  maru__block=''
  for maru__byte in $(printf %s "$maru__key" | sed 's/../& /g'); do
    maru__block="$maru__block$(printf %02x $((0x$maru__byte ^ $2)))"
  done
  maru__bytes "$maru__block"
}
