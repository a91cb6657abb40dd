"""Hooks of the members service of Maru, for Python 3.8 or newer. Copy this file; it needs no package.

    maru = Maru()                                   # once a process
    member = maru.register("asha@example.com", 77)  # after a confirmed sign-up, and after a change of address
    if member["svc_uid"] is not None:
        save(member["svc_uid"], member["email"])

No method raises, and none takes longer than `timeout` seconds, whatever the service answers. After a time-out calls fail
at once for some seconds. A failure is logged. `register`, `leave`, `log_event`, `grant` and `revoke` return a dict with
an `outcome`:

    done     the service has done it
    waiting  it is in the outbox, and `flush` sends it
    refused  it can never succeed; `code` has the reason
    lost     it was not sent, and is not in an outbox

The settings are environment variables:

    MARU_URL             address of the members service, such as https://id.example.com
    MARU_API_KEY         the platform's key, svck_...
    MARU_PLATFORM        the platform's code
    MARU_ORIGIN          one of the platform's registered origins, for `logout`
    MARU_OUTBOX          optional folder of undelivered calls; all processes of a machine can share it
    MARU_COOKIE_DOMAIN   domain of the session cookies, such as example.com; empty for those of one host
    MARU_WEBHOOK_SECRET  optional secret of the webhook endpoint, whsec_...
"""

import base64
import hashlib
import hmac
import http.client
import json
import logging
import numbers
import os
import queue
import re
import secrets
import socket
import threading
import time
from datetime import datetime, timezone
from urllib.parse import urlsplit

_log = logging.getLogger("maru")

_ANSWER_BYTES_MAX = 1_048_576
_OUTBOX_FILES_MAX = 10_000
_HASHES_PER_CALL = 1_000
_REGISTRATIONS_PER_CALL = 500
_TOKENS_MAX = 8
_WEBHOOK_TOLERANCE_S = 300
_FAILURES_IN_A_ROW_MAX = 3
_ROUNDS_MAX = 5
_PAUSE_S = 10
_DRAFT_AGE_MAX_MS = 3_600_000
_EXCHANGE_MS_MAX = 3_600_000

_GRANT = "PUT /members/{svc_uid}/entitlements/{code}"
_REVOKE = "DELETE /members/{svc_uid}/entitlements/{code}"
_REVOKE_SESSIONS = "/auth/sso/revoke"

_NO_SESSION = {
    "active": False,
    "svc_uid": None,
    "session_id": None,
    "tier": None,
    "sign_in_allowed": False,
    "reason": "session_ended",
    "membership": None,
    "entitlements": [],
}


class Maru:
    """The members service for a platform's server. It is thread-safe."""

    def __init__(self, timeout=3.0, environment=os.environ):
        def setting(name):
            return environment.get(name, "").strip()

        self._url = setting("MARU_URL").rstrip("/")
        self._key = setting("MARU_API_KEY")
        self._platform = setting("MARU_PLATFORM")
        self._origin = setting("MARU_ORIGIN")
        self._cookie_domain = setting("MARU_COOKIE_DOMAIN")
        self._webhook_secret = setting("MARU_WEBHOOK_SECRET")
        self._outbox = _Outbox(setting("MARU_OUTBOX"))
        self._timeout = timeout
        self._paused_until = 0.0

    def register(
        self, email, local_user_id, extra=None, *, email_verified=None, consents=None, requested_at=None
    ):
        """Registers a user after a sign-up or a change of address: the answer, with `outcome`, `code`, `svc_uid`, `email`.

        From then on the user is let in to the accounts with that address on other platforms. Call it once the address
        is confirmed; before that, give `email_verified=False`. `consents` are those of the sign-up, as dicts.
        `requested_at` is the time of the sign-up, for a call that comes later: who left since stays erased.
        `svc_uid` is None unless the outcome is `done`: that of another user's address is not for this user. `email` is
        the address that the service has taken; None, too, if a later registration of the user counts.
        """
        body = {
            "email": email,
            "platform": self._platform,
            "local_user_id": _id_text(local_user_id),
            "extra": extra or {},
        }
        if email_verified is not None:
            body["email_verified"] = email_verified
        if consents is not None:
            body["consents"] = consents
        try:
            if requested_at is not None:
                body["requested_at"] = _time_text(requested_at)
        except Exception as error:
            _warn("member not registered", error)
            return {"outcome": "refused", "code": "requested_at", "svc_uid": None, "email": None}
        return {"svc_uid": None, "email": None, **self._deliver("member not registered", "/members/register", body)}

    def leave(self, local_user_id):
        """Ends the membership of a user who closed the account. `done` also if there is none."""
        body = {"local_user_id": _id_text(local_user_id)}
        return self._deliver("member not removed", "/members/leave", body)

    def log_event(self, svc_uid, event, meta=None, event_id=None, occurred_at=None):
        """Logs a visit, login, purchase or referral. An event_id of your own, such as an order number, counts once.

        `lost` with the code `no_svc_uid` for a user who has none yet: log the event again once it is saved, with the
        time at which it occurred, as `reconcile` takes it.
        """
        if not svc_uid:
            about = "" if event_id is None else f": {_about({'event_id': str(event_id)})}"
            _warn(f"event not logged{about}", _Failed("the user has no svc_uid yet"))
            return {"outcome": "lost", "code": "no_svc_uid", "event_id": event_id}
        failure, refusal = "event not logged", None
        try:
            at = _now() if occurred_at is None else _time_text(occurred_at)
        except Exception:
            at, failure, refusal = occurred_at, f"{failure}, {_NO_ZONE}", "occurred_at"
        body = {
            "svc_uid": svc_uid,
            "platform": self._platform,
            "event": event,
            "meta": meta or {},
            "event_id": event_id or secrets.token_hex(16),
            "occurred_at": at,
        }
        return {"event_id": body["event_id"], **self._deliver(failure, "/members/events", body, refusal)}

    def grant(self, svc_uid, code, until=None, since=None, local_user_id=None):
        """Grants an entitlement, such as after a payment: `since` a time or from now on, `until` a time or without end.

        Times are as `reconcile` takes them. A repeat changes nothing. `lost` with the code `no_svc_uid` for a user who
        has none yet: grant it again once it is saved. With `local_user_id` it reaches no other user who has the svc_uid
        by now. The key needs the scope `members:entitle`.
        """
        period = {"until": until, "from": since}
        return self._entitle("entitlement not granted", _GRANT, svc_uid, code, period, local_user_id)

    def revoke(self, svc_uid, code, local_user_id=None):
        """Ends what this platform granted of a code, such as after a refund. `done` also if there is nothing."""
        return self._entitle("entitlement not revoked", _REVOKE, svc_uid, code, {}, local_user_id)

    def _entitle(self, failure, path, svc_uid, code, period, local_user_id):
        if not svc_uid:
            _warn(f"{failure}: {_about({'code': str(code)})}", _Failed("the user has no svc_uid yet"))
            return {"outcome": "lost", "code": "no_svc_uid"}
        body = {"svc_uid": svc_uid, "code": str(code)}
        body.update((name, at) for name, at in period.items() if at is not None)
        if local_user_id is not None:
            body["expected_local_user_id"] = str(local_user_id)
        refusal = None
        if not re.fullmatch("[a-z0-9][a-z0-9._-]{0,63}", body["code"]):
            failure, refusal = f"{failure}, a code is small letters, digits and ._-", "unknown_entitlement"
        else:
            try:
                body.update((name, _time_text(body[name])) for name in period if name in body)
            except Exception:
                failure, refusal = f"{failure}, {_NO_ZONE}", "invalid_period"
        return self._deliver(failure, path, body, refusal)

    def sso_cookies(self, email, local_user_id):
        """Signs the user in on all platforms. The `Set-Cookie` values for your response, each its own header.

        The first begins with `svc_sso=svcs_`. Otherwise there is no shared session, and they clear an earlier person's.
        """
        body = {"email": email, "platform": self._platform, "local_user_id": _id_text(local_user_id)}
        try:
            _require_id(body)
            _, cookies = self._call("/auth/sso/issue", body, self._timeout)
            return cookies or self.cleared_cookies()
        except Exception as error:
            _warn("no single sign-on for a login", error)
            return self.cleared_cookies()

    def cleared_cookies(self):
        """`Set-Cookie` values for a login without `sso_cookies`. They clear the session of an earlier person."""
        domains = [f"Domain={self._cookie_domain}; ", ""] if self._cookie_domain else [""]
        return [
            f"{name}=; {domain}Path=/; Max-Age=0; {only}SameSite=Lax"
            for domain in domains
            for name, only in (("svc_sso", "HttpOnly; "), ("svc_uid", ""))
        ]

    def verify(self, cookie):
        """Verifies the `Cookie` header of a visitor. Log in `membership.local_user_id` if `sign_in_allowed` is true.

        None if the service was not reached: your own session counts then. While a `register` or `leave` of the user waits
        in the outbox, the address may be another person's: nobody is signed in as the user.
        """
        try:
            ends_at = time.monotonic() + self._timeout
            tokens = _tokens(cookie)
            # Read first: a call that is delivered meanwhile can be newer than the verdict.
            waiting = self._outbox.digests() if tokens else set()
            active = {}
            for token in tokens:
                verdict, _ = self._call("/auth/sso/verify", {"token": token}, ends_at - time.monotonic())
                if verdict["active"]:
                    active.setdefault(verdict["svc_uid"], verdict)
            # Sessions of two members are ambiguous.
            return _settled(next(iter(active.values())), waiting) if len(active) == 1 else dict(_NO_SESSION)
        except Exception as error:
            _warn("session not verified", error)
            return None

    def logout(self, cookie, scope="one"):
        """Ends the session in a `Cookie` header: {"revoked", "cookies"}. Relay the cookies, which clear the pair.

        None if the service was not reached: the shared session is still live. `scope` may be "all", for all shared ones.
        Without a session in the header there is nothing to end: `logout_everywhere` ends those of other devices.
        """
        try:
            tokens = _tokens(cookie)
            if not tokens:
                return {"revoked": False, "cookies": self.cleared_cookies()}
            headers = {
                "cookie": "; ".join(f"svc_sso={token}" for token in tokens),
                "origin": self._origin,
                "x-svc-client": "maru.py",
            }
            answer, cookies = self._call("/auth/logout", {"scope": scope}, self._timeout, headers)
            return {"revoked": answer.get("revoked") is True, "cookies": cookies}
        except Exception as error:
            _warn("shared session not ended", error)
            return None

    def logout_everywhere(self, svc_uid):
        """Ends all shared sessions of a member, such as after a new password. True once it is done.

        Otherwise `flush` repeats it, and until then `verify` accepts no session of the member; without an outbox repeat
        it yourself. True also for a user who has none: without a svc_uid, erased, or no member of this platform. A member of whom the
        platform verified no address keeps the sessions that other platforms began.
        """
        if not svc_uid:
            return True
        body = {"svc_uid": svc_uid, "platform": self._platform, "scope": "all"}
        return self._deliver("shared sessions not ended", _REVOKE_SESSIONS, body)["outcome"] == "done"

    def verify_webhook(self, headers, body):
        """Verifies the signature of a webhook over its raw body. False for anything else, and without the secret.

        `headers` is a mapping of headers, or the environment of WSGI.
        """
        try:
            plain = re.compile("^http-")
            names = {
                plain.sub("", str(name).lower().replace("_", "-")): str(value) for name, value in dict(headers).items()
            }
            if not self._webhook_secret:
                _log.warning("members: no webhook is accepted: MARU_WEBHOOK_SECRET is not set")
            identifier, at = names["webhook-id"], names["webhook-timestamp"]
            key = base64.b64decode(re.sub("^whsec_", "", self._webhook_secret), validate=True)
            if not key or not re.fullmatch(r"[0-9]{1,12}", at):
                return False
            if abs(time.time() - int(at)) > _WEBHOOK_TOLERANCE_S:
                return False
            signed = f"{identifier}.{at}.".encode() + (body.encode() if isinstance(body, str) else body)
            expected = b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
            # During a change of the secret there is a signature of each.
            given = names["webhook-signature"].encode().split(b" ")[:8]
            return any(hmac.compare_digest(expected, each) for each in given)
        except Exception:
            return False

    def flush(self, on_registered=None, on_refused=None):
        """Sends undelivered calls again; run it every minute. `on_registered(local_user_id, svc_uid, email)` saves a uid,
        and the address as settled: None if a later registration of the user counts.

        `on_refused(local_user_id, code, email)` undoes the address of a registration that was refused for good, if the
        user has it still. Both are called again if they fail, or if the process is killed. A call that cannot go waits, and the others go on. Stops after three failures of the service in a row.
        """
        report = {"delivered": 0, "refused": 0}
        self._outbox.warn_if_unreadable()
        try:
            self._outbox.drop_drafts()
            contested = self._send_outbox(report, on_registered, on_refused)
            if contested:
                self._settle_outbox(report, on_registered, on_refused, contested)
        except Exception as error:
            _warn("outbox not sent", error)
        return {**report, "pending": len(self._outbox.names())}

    def _send_outbox(self, report, on_registered, on_refused):
        """Sends each call of the outbox. Returns the registrations whose address another user has."""
        failures, unscoped, blocked, contested = 0, set(), set(), []
        for name in self._outbox.names():
            entry = self._outbox.read(name)
            if failures == _FAILURES_IN_A_ROW_MAX:
                break
            if entry is None:
                continue
            path, body = entry
            # An id may have been given to another user: the former one leaves first.
            user = _subject(body)
            if path in unscoped or (user is not None and user in blocked):
                blocked.add(user)
                continue
            try:
                answer = self._answered(path, body)
                failures = 0
                if path == "/members/register" and _is_mismatch(answer):
                    contested.append((name, body))
                    continue
                self._finish(name, path, body, answer, on_registered, on_refused)
                report["delivered"] += 1
            except _Refused as error:
                report["refused"] += self._refuse(name, path, body, error, on_refused)
            except Exception as error:
                _warn(f"an undelivered call is kept: {_about(body)}", error)
                blocked.add(user)
                if isinstance(error, _Unscoped):
                    unscoped.add(path)
                elif not isinstance(error, _NotSaved):
                    failures += 1
        return contested

    def _settle_outbox(self, report, on_registered, on_refused, contested):
        """Registers users who took over addresses of each other in one call, which settles them together."""
        others = len(self._outbox.names()) - len(contested)
        for batch in _batches(contested, _REGISTRATIONS_PER_CALL):
            sent = {"registrations": [body for _, body in batch]}
            answer, _ = self._call("/members/register/batch", sent, self._timeout, is_patient=True)
            for (name, body), result in zip(batch, answer["results"]):
                is_young = time.time_ns() // 1_000_000 - int(name[:13]) < _EXCHANGE_MS_MAX
                if _is_mismatch(result) and (others > 0 or (_is_moving(result) and is_young)):
                    continue
                try:
                    if not isinstance(result.get("svc_uid"), str):
                        raise _Refused(_code(result))
                    self._finish(name, "/members/register", body, result, on_registered, on_refused)
                    report["refused" if _is_mismatch(result) else "delivered"] += 1
                except _Refused as error:
                    report["refused"] += self._refuse(name, "/members/register", body, error, on_refused)
                except _NotSaved as error:
                    _warn(f"an undelivered call is kept: {_about(body)}", error)

    def _finish(self, name, path, body, answer, on_registered, on_refused):
        """Saves the uid of a delivered registration, or reports that another user has its address; removes the call."""
        if path == "/members/register":
            uid = _own_uid(body, answer)
            if uid is not None:
                email = _settled_email(body, answer)
                _notify("the uid was not saved", on_registered, body["local_user_id"], uid, email)
            else:
                _notify(_NOT_TAKEN, on_refused, body["local_user_id"], "local_user_id_mismatch", body["email"])
        self._outbox.drop(name, path, body)

    def _refuse(self, name, path, body, error, on_refused):
        """Removes a call that was refused for good: 1, or 0 while the platform cannot take the refusal.

        Of events and entitlements it is kept in the folder `refused`.
        """
        if path == "/members/register":
            try:
                _notify(_NOT_TAKEN, on_refused, body["local_user_id"], str(error), body["email"])
            except _NotSaved as fault:
                _warn(f"an undelivered call is kept: {_about(body)}", fault)
                return 0
        kept = self._outbox.refuse(name) if "svc_uid" in body else ""
        _warn(f"an undelivered call was refused for good: {_about(body)}{kept}", error)
        self._outbox.drop(name, path, body)
        return 1

    def reconcile(self, users, on_registered=None):
        """Registers the users that the service lacks; run it every night. `on_registered` is as for `flush`.

        `users` yields (email, local_user_id, time from which the user has that address): of its
        confirmation. The time is text in ISO 8601 with its zone, a datetime with its zone, or seconds or milliseconds since
        1970. With it a user who left or was erased later is not registered again; a user without it is skipped. Leave
        out users whose address is not confirmed. Stops at the first call that fails.
        """
        report = {"checked": 0, "missing": 0, "registered": 0, "skipped": 0}
        faults, contested = [], []
        self._outbox.warn_if_unreadable()
        try:
            for batch in _batches(self._registrations(users, report, faults), _HASHES_PER_CALL):
                by_hash = {_address_hash(each["email"]): each for each in batch}
                ids = [each["local_user_id"] for each in by_hash.values()]
                body = {"platform": self._platform, "hashes": list(by_hash), "local_user_ids": ids}
                answer, _ = self._call("/members/reconcile", body, self._timeout, is_patient=True)
                missing = [by_hash[each] for each in answer["missing"] if each in by_hash]
                report["checked"] += len(batch)
                report["missing"] += len(missing)
                contested += self._register_all(missing, report, on_registered)
            # Users who took over addresses of each other: each round frees some.
            for _ in range(_ROUNDS_MAX):
                count, contested = len(contested), self._register_all(contested, report, on_registered)
                if len(contested) in (0, count):
                    break
            for body, result in contested:
                _own_uid(body, result)
        except Exception as error:
            _warn("members not reconciled", error)
        if faults:
            _warn(f"users skipped by reconcile: {report['skipped']}, the first", faults[0])
        return report

    def _registrations(self, users, report, faults):
        """The registrations of users; one that cannot be sent is counted, and the first fault is kept."""
        for user in users:
            try:
                registration = self._registration(user)
            except Exception as error:
                report["skipped"] += 1
                if not faults:
                    faults.append(error)
                continue
            yield registration

    def _registration(self, user):
        email, local_user_id, since = user
        body = {"email": email, "platform": self._platform, "local_user_id": _id_text(local_user_id)}
        _require_id(body)
        try:
            if not isinstance(email, str) or not email.strip():
                raise _Failed("no address")
            return {**body, "requested_at": _time_text(since)}
        except _Failed as error:
            raise _Failed(f"{_about(body)}: {error}") from None

    def _register_all(self, registrations, report, on_registered):
        """Registers users in batches. Returns those whose address another user has, with the answers."""
        contested = []
        for batch in _batches(registrations, _REGISTRATIONS_PER_CALL):
            bodies = [each[0] if isinstance(each, tuple) else each for each in batch]
            sent = {"registrations": bodies}
            answer, _ = self._call("/members/register/batch", sent, self._timeout, is_patient=True)
            for body, result in zip(bodies, answer["results"]):
                if not isinstance(result.get("svc_uid"), str):
                    _log.warning("members: a user was not registered: %s (%s)", _about(body), _code(result))
                elif _is_mismatch(result):
                    contested.append((body, result))
                else:
                    uid = _own_uid(body, result)
                    report["registered"] += "registration_outdated" not in _warnings(result)
                    try:
                        if on_registered is not None:
                            on_registered(body["local_user_id"], uid, _settled_email(body, result))
                    except Exception as error:
                        _warn("a uid was not saved", error)
        return contested

    def _deliver(self, failure, path, body, refusal=None):
        """Calls at once, with the call in the outbox until it has an answer: the answer with its outcome.

        With the code of a `refusal` it is not sent: it is refused as if by the service.
        """
        name = None
        try:
            _require_id(body)
        except _Failed as error:
            _warn(failure, error)
            return {"outcome": "refused", "code": "local_user_id_missing"}
        if refusal is not None:
            return self._refuse_unsent(failure, path, body, refusal)
        # A call may arrive after a later one: the times say which statement counts.
        if "local_user_id" in body:
            body.setdefault("requested_at", _now())
        try:
            name = self._outbox.put(path, body)
        except Exception as error:
            _warn("the outbox failed", error)
        undelivered = "lost" if name is None else "waiting"
        try:
            if name is not None and self._outbox.waits(name, path, body):
                raise _Failed("an earlier call waits")
            answer = self._answered(path, body, is_patient=False)
        except Exception as error:
            code = _code_of(error)
            if not isinstance(error, _Refused):
                _warn(f"{failure}: {_about(body)}", error)
                return {"outcome": undelivered, "code": code}
            if name is None:
                _warn(f"{failure}: {_about(body)}", error)
            else:
                kept = self._outbox.refuse(name) if "svc_uid" in body else ""
                _warn(f"{failure}: {_about(body)}{kept}", error)
                self._outbox.drop(name, path, body)
            return {"outcome": "refused", "code": code}
        if path == "/members/register" and _is_mismatch(answer):
            # The user who has the address may be about to give it up.
            if name is not None and (_is_moving(answer) or len(self._outbox.names()) > 1):
                _log.warning("members: %s waits for an address that another user has", _about(body))
                return {"outcome": "waiting", "code": "local_user_id_mismatch"}
            _own_uid(body, answer)
            answer = {"outcome": "refused", "code": "local_user_id_mismatch"}
        elif path == "/members/register":
            _own_uid(body, answer)
            answer = {**answer, "email": _settled_email(body, answer)}
        if name is not None:
            self._outbox.drop(name, path, body)
        return {"outcome": "done", "code": None, **answer}

    def _refuse_unsent(self, failure, path, body, code):
        """Refuses a call as the service would."""
        kept = ""
        try:
            name = self._outbox.put(path, body, "refused")
            kept = "" if name is None else self._outbox.kept(name)
        except Exception as error:
            _warn("the outbox failed", error)
        _warn(f"{failure}: {_about(body)}{kept}", _Refused(code))
        return {"outcome": "refused", "code": code}

    def _answered(self, path, body, is_patient=True):
        """The answer of a call that changes something. A member without a link has left already."""
        try:
            return self._call(path, body, self._timeout, is_patient=is_patient)[0]
        except _Refused as error:
            if path == "/members/leave" and str(error) == "member_not_found":
                return {"left": False}
            if path == _REVOKE_SESSIONS and str(error) in ("member_erased", "member_not_found"):
                return {"revoked": 0}
            if path == _REVOKE_SESSIONS and str(error) == "email_unverified" and body["scope"] == "all":
                return self._answered(path, {**body, "scope": "platform"}, is_patient)
            raise

    def _call(self, path, body, seconds, headers=None, is_patient=False):
        """JSON object and cookies of an answer. Raises within `seconds`, whatever the server does.

        After a time-out only patient calls are sent for some seconds: no visitor waits for a service that hangs.
        """
        if not is_patient and time.monotonic() < self._paused_until:
            raise _Failed("no call for some seconds after a time-out")
        key = {} if headers is not None else {"x-api-key": self._key}
        sent = {"content-type": "application/json", "accept": "application/json", **key, **(headers or {})}
        method, _, place = path.rpartition(" ")
        url = self._url + place.format_map(body)
        exchange = _Exchange(method or "POST", url, _json(body).encode(), sent, max(seconds, 0.001))
        try:
            status, received, cookies = exchange.result()
        except _TimedOut:
            self._paused_until = time.monotonic() + _PAUSE_S
            raise
        self._paused_until = 0.0
        try:
            answer = json.loads(received)
        except ValueError:
            answer = None
        if not isinstance(answer, dict):
            raise _Failed(f"status {status} without a JSON object")
        if 200 <= status < 300:
            if not _EXPECTED[path](answer):
                raise _Failed("this is not the members service")
            return answer, cookies
        if answer.get("code") == "insufficient_scope":
            raise _Unscoped("insufficient_scope")
        is_final = 400 <= status < 500 and "code" in answer and answer.get("retryable") is not True
        # A key can be replaced, its scopes extended, and an address corrected.
        is_correctable = status == 401 or answer.get("code") in ("platform_disabled", "not_found")
        raise (_Refused if is_final and not is_correctable else _Failed)(_code(answer, f"status {status}"))


class _Failed(Exception):
    """The same call may succeed later."""


class _TimedOut(_Failed):
    """The service hangs."""


class _Unscoped(_Failed):
    """Calls to other paths may succeed."""


class _NotSaved(_Failed):
    """The service answered, but the platform could not save it."""


class _Refused(Exception):
    """The same call cannot succeed."""


class _Exchange:
    """One request in a thread of its own, because no timeout of Python covers names, headers and body together."""

    def __init__(self, method, url, body, headers, seconds):
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise _Failed("MARU_URL is not set to an address")
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        self._connection = kind(parts.hostname, parts.port, timeout=seconds)
        self._request = (method, parts.path, body, headers)
        self._seconds = seconds
        self._results = queue.Queue(1)

    def result(self):
        threading.Thread(target=self._run, daemon=True).start()
        try:
            result = self._results.get(timeout=self._seconds)
        except queue.Empty:
            self._end()
            raise _TimedOut("no answer in time") from None
        if isinstance(result, (socket.timeout, TimeoutError)):
            raise _TimedOut("no answer in time") from None
        if isinstance(result, _Failed):
            raise result
        if isinstance(result, Exception):
            raise _Failed(f"unreachable: {type(result).__name__}")
        return result

    def _run(self):
        try:
            self._connection.request(*self._request)
            response = self._connection.getresponse()
            received = response.read(_ANSWER_BYTES_MAX + 1)
            if len(received) > _ANSWER_BYTES_MAX:
                raise _Failed("the answer is too long")
            if response.length:
                raise _Failed("the answer was cut short")
            cookies = response.headers.get_all("set-cookie") or []
            self._results.put((response.status, received, cookies))
        except Exception as error:
            self._results.put(error)
        finally:
            self._connection.close()

    def _end(self):
        """Ends the connection under its thread, which else would read as long as the server sends."""
        try:
            self._connection.sock.shutdown(socket.SHUT_RDWR)
        except Exception:
            pass


class _Outbox:
    """A folder with a file for each undelivered call. It contains addresses: only its owner can read it.

    A later registration of a user replaces an earlier one, so that an old address never overtakes a new one. A `leave`
    replaces both, and no registration replaces a `leave`: the id may have been given to another user. Grants and
    revocations replace nothing, and are sent in their order.
    """

    _NAME = re.compile(r"[0-9]{13}-[0-9a-f]{8}-([0-9a-f]{16})\.json")

    def __init__(self, folder):
        self._folder = folder

    def names(self):
        """The oldest first."""
        try:
            return sorted(name for name in os.listdir(self._folder) if self._NAME.fullmatch(name))
        except OSError:
            return []

    def warn_if_unreadable(self):
        """Logs that no call can be read, as in a job of another user. Before the first call there is no folder."""
        fault = "is not set"
        if self._folder != "":
            try:
                os.listdir(self._folder)
                for name in self.names()[:1]:
                    open(os.path.join(self._folder, name)).close()
                return
            except FileNotFoundError:
                return
            except OSError:
                fault = "cannot be read"
        _log.warning("members: MARU_OUTBOX %s: run this as the web server's user, with its variables", fault)

    def digests(self):
        """Digests of the keys of all calls that wait."""
        return {self._NAME.fullmatch(name).group(1) for name in self.names()}

    def put(self, path, body, where=""):
        """Writes a file for a call that waits; in the folder `refused` for one that is never sent."""
        if self._folder == "":
            return None
        os.makedirs(self._folder, mode=0o700, exist_ok=True)
        if len(self.names()) >= _OUTBOX_FILES_MAX:
            raise _Failed("it is full")
        text = _json({"path": path, "body": body})
        name = f"{time.time_ns() // 1_000_000:013}-{secrets.token_hex(4)}-{_digest(_keys(path, body)[0])}.json"
        draft = os.path.join(self._folder, f".{name}")
        try:
            with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            os.makedirs(os.path.join(self._folder, where), mode=0o700, exist_ok=True)
            os.rename(draft, os.path.join(self._folder, where, name))
        except OSError:
            self._remove(f".{name}")
            raise
        if where == "":
            self._drop_earlier(name, path, body)
        return name

    def waits(self, name, path, body):
        """True while a call waits that must be sent before: a `leave` of the id, or one about the same entitlement."""
        if path not in ("/members/register", _GRANT, _REVOKE):
            return False
        digest = _digest(_keys("/members/leave" if path == "/members/register" else path, body)[0])
        return any(other < name and self._NAME.fullmatch(other).group(1) == digest for other in self.names())

    def refuse(self, name):
        """Keeps a refused call in the folder `refused`: its place for the log."""
        try:
            self._set_aside(name, "refused")
        except OSError:
            return ""
        return self.kept(name)

    def kept(self, name):
        """The place of a refused call for the log. An earlier one of the same event is removed."""
        try:
            digest = self._NAME.fullmatch(name).group(1)
            for other in os.listdir(os.path.join(self._folder, "refused")):
                if other != name and other.endswith(f"-{digest}.json"):
                    self._remove(os.path.join("refused", other))
        except OSError:
            pass
        return f", kept in refused/{name}"

    def read(self, name):
        """None for a file that another process has delivered meanwhile, and for one that is set aside as unreadable."""
        try:
            with open(os.path.join(self._folder, name)) as file:
                entry = json.load(file)
            if not isinstance(entry["path"], str) or not isinstance(entry["body"], dict):
                raise TypeError
            return entry["path"], entry["body"]
        except OSError:
            return None
        except (ValueError, KeyError, TypeError):
            try:
                self._set_aside(name, "unreadable")
                _log.warning("members: an unreadable file of the outbox is kept in unreadable/%s", name)
            except OSError:
                pass
            return None

    def _set_aside(self, name, folder):
        path = os.path.join(self._folder, folder)
        os.makedirs(path, mode=0o700, exist_ok=True)
        os.rename(os.path.join(self._folder, name), os.path.join(path, name))

    def drop(self, name, path, body):
        self._remove(name)
        self._drop_earlier(name, path, body)

    def drop_drafts(self):
        """Removes the drafts of processes that were killed. A young one may be in use."""
        if not os.path.isdir(self._folder):
            return
        before = time.time_ns() // 1_000_000 - _DRAFT_AGE_MAX_MS
        for name in os.listdir(self._folder):
            if name[:1] == "." and self._NAME.fullmatch(name[1:]) and int(name[1:14]) < before:
                self._remove(name)

    def _drop_earlier(self, name, path, body):
        digests = {_digest(key) for key in _keys(path, body)[1:]}
        for other in self.names():
            if other < name and self._NAME.fullmatch(other).group(1) in digests:
                self._remove(other)

    def _remove(self, name):
        try:
            os.unlink(os.path.join(self._folder, name))
        except OSError:
            pass


def _settled(verdict, waiting):
    """A verdict with what waits in the outbox: a user's other address or end, and the end of a member's sessions."""
    if _digest(f"sessions {verdict['svc_uid']}") in waiting:
        return dict(_NO_SESSION)
    if not verdict["sign_in_allowed"]:
        return verdict
    user = verdict["membership"]["local_user_id"]
    if waiting.isdisjoint((_digest(f"user {user}"), _digest(f"leave {user}"))):
        return verdict
    return {**verdict, "sign_in_allowed": False, "reason": "no_membership", "membership": None}


def _is_verdict(answer):
    membership = answer.get("membership")
    known = isinstance(membership, dict) and isinstance(membership.get("local_user_id"), str)
    return (
        isinstance(answer.get("active"), bool)
        and isinstance(answer.get("sign_in_allowed"), bool)
        and (known or not answer["sign_in_allowed"])
    )


def _has(name, kind):
    return lambda answer: isinstance(answer.get(name), kind)


_EXPECTED = {
    "/members/register": _has("svc_uid", str),
    "/members/register/batch": _has("results", list),
    "/members/reconcile": _has("missing", list),
    "/members/leave": _has("left", bool),
    "/members/events": _has("event_id", str),
    _GRANT: _has("entitlement", dict),
    _REVOKE: _has("ended", int),
    "/auth/sso/issue": _has("svc_uid", str),
    "/auth/sso/verify": _is_verdict,
    _REVOKE_SESSIONS: _has("revoked", int),
    "/auth/logout": _has("ok", bool),
}


def _tokens(cookie):
    """Session tokens of a `Cookie` header; other cookies are none of the service's business."""
    return re.findall(r"(?:^|;)\s*svc_sso=(svcs_[a-z2-7]+)(?=;|\s|$)", cookie or "")[:_TOKENS_MAX]


def _address_hash(email):
    """Hash of an address as the service writes it. An unusual one counts as missing: registering again is harmless."""
    return hashlib.sha256(email.strip().lower().encode()).hexdigest()


def _id_text(local_user_id):
    return "" if local_user_id is None else str(local_user_id)


def _require_id(body):
    if not body.get("local_user_id", "-").strip():
        raise _Failed("the user has no id")


_NOT_TAKEN = "the refusal was not taken"


def _notify(failure, function, *given):
    """Calls a function of the platform about the user of a registration."""
    try:
        if function is not None:
            function(*given)
    except Exception as error:
        raise _NotSaved(f"{failure}: {type(error).__name__}") from None


def _own_uid(body, answer):
    """The uid of a registered user, with its warnings logged. None if the uid is that of another user."""
    codes = _warnings(answer)
    uid = answer["svc_uid"]
    if "local_user_id_mismatch" not in codes:
        for code in codes:
            _log.warning("members: %s registered with the warning %s", _about(body), code)
        return uid
    _log.warning(
        "members: %s not registered (local_user_id_mismatch): the address belongs to your user with %s. "
        "If that user has another address now, register both; only if that account is closed, call leave with its id",
        _about(body),
        _shown(uid, "another svc_uid"),
    )
    return None


def _settled_email(body, answer):
    """The address of a registration; None if a later one of the user counts."""
    return None if "registration_outdated" in _warnings(answer) else body["email"]


def _warnings(answer):
    warnings = answer.get("warnings")
    return [_code(each) for each in warnings] if isinstance(warnings, list) else []


def _is_mismatch(answer):
    """True for an address that another user of the platform has."""
    return "local_user_id_mismatch" in _warnings(answer)


def _is_moving(answer):
    """True for a known user whose new address another one has: the two may be exchanging theirs."""
    return "email_taken" in _warnings(answer)


def _batches(items, size):
    batch = []
    for item in items:
        batch.append(item)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch


def _now():
    return _instant(datetime.now(timezone.utc))


def _time_text(value):
    """A time as the service reads it. One without a zone is refused: the service would ignore it."""
    try:
        if isinstance(value, numbers.Real) and not isinstance(value, bool):
            seconds = value / 1000 if abs(value) >= _MILLISECONDS_FROM else value
            value = datetime.fromtimestamp(seconds, timezone.utc)
        if isinstance(value, datetime) and value.utcoffset() is not None:
            return _instant(value)
    except (OverflowError, OSError, ValueError):
        pass
    if isinstance(value, str) and _TIME.fullmatch(value):
        return value
    raise _Failed(_NO_ZONE)


_NO_ZONE = "no time with a zone, such as 2026-11-22T09:00:00Z"
# From here on a number is milliseconds: as seconds it is the year 5138.
_MILLISECONDS_FROM = 100_000_000_000
_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,9})?)?(Z|[+-][0-9]{2}:?[0-9]{2})")


def _instant(at):
    return at.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def _json(value):
    return json.dumps(value, default=_plain, allow_nan=False)


def _plain(value):
    """A value that JSON lacks: a Decimal as a number, anything else as text."""
    if isinstance(value, numbers.Number):
        return int(value) if value == int(value) else float(value)
    return str(value)


def _keys(path, body):
    """The key of a call in the outbox, then those of earlier calls that it replaces."""
    if path == "/members/events":
        return [f"event {body['event_id']}"] * 2
    if "code" in body:
        return [_subject(body)]
    if path == _REVOKE_SESSIONS:
        return [f"sessions {body['svc_uid']}"] * 2
    user = f"user {body['local_user_id']}"
    leave = f"leave {body['local_user_id']}"
    return [leave, leave, user] if path == "/members/leave" else [user, user]


def _subject(body):
    """The user or entitlement whose calls are sent in their order; None for another call."""
    return f"entitlement {body['svc_uid']} {body['code']}" if "code" in body else body.get("local_user_id")


def _digest(key):
    return hashlib.sha256(key.encode()).hexdigest()[:16]


def _about(body):
    kind, name = next(each for each in _SUBJECTS if each[1] in body)
    return f"{kind} {_shown(body[name], 'with an id that is not logged')}"


_SUBJECTS = (("event", "event_id"), ("entitlement", "code"), ("user", "local_user_id"), ("sessions of", "svc_uid"))


def _shown(identifier, otherwise):
    """An id for the log. Some platforms use addresses as ids."""
    return identifier if re.fullmatch("[A-Za-z0-9_.:-]{1,64}", identifier) else otherwise


def _code(problem, otherwise="without a code"):
    code = problem.get("code") if isinstance(problem, dict) else None
    return code if isinstance(code, str) and re.fullmatch("[a-z_]{1,40}", code) else otherwise


def _code_of(error):
    """The reason of a failed call: the code of the service, or `unreachable`."""
    return str(error) if re.fullmatch("[a-z]+(_[a-z]+)+", str(error)) else "unreachable"


def _warn(what, error):
    """A line without an address or a key: messages of other errors may have them."""
    known = isinstance(error, (_Failed, _Refused))
    _log.warning("members: %s (%s)", what, error if known else type(error).__name__)
