"""Hooks of the members service of Maru, for Python 3.8 or newer. Copy this file; it needs no package.

    maru = Maru()                                   # once a process
    member = maru.register("asha@example.com", 77)  # after a sign-up, and after a change of address
    if member is not None:
        save(member["svc_uid"])

No method raises, and none takes longer than `timeout` seconds, whatever the service answers. A failure is logged
and `None` or an empty list. The settings are environment variables:

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
_DRAFT_AGE_MAX_MS = 3_600_000

_NO_SESSION = {
    "active": False,
    "svc_uid": None,
    "tier": None,
    "sign_in_allowed": False,
    "reason": "session_ended",
    "membership": None,
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

    def register(self, email, local_user_id, extra=None):
        """Registers a user after a sign-up or a change of address. The answer, with `svc_uid`, or None.

        None also while another user of yours has the address: their uid is not for this user.
        """
        body = {
            "email": email,
            "platform": self._platform,
            "local_user_id": _id_text(local_user_id),
            "extra": extra or {},
            "requested_at": _now(),
        }
        answer = self._deliver("member not registered", "/members/register", body)
        return None if answer is None or _own_uid(body, answer) is None else answer

    def leave(self, local_user_id):
        """Ends the membership of a user who closed the account. True once the service has done so."""
        body = {"local_user_id": _id_text(local_user_id), "requested_at": _now()}
        return self._deliver("member not removed", "/members/leave", body) is not None

    def log_event(self, svc_uid, event, meta=None, event_id=None, occurred_at=None):
        """Logs a visit, login, purchase or referral. An event_id of your own, such as an order number, counts once.

        None without a call for a user who has no svc_uid yet: log the event again once it is saved, with the time at
        which it occurred, as `reconcile` takes it.
        """
        try:
            if not svc_uid:
                raise _Failed("the user has no svc_uid yet")
            at = _now() if occurred_at is None else _time_text(occurred_at)
        except Exception as error:
            _warn("event not logged", error)
            return None
        body = {
            "svc_uid": svc_uid,
            "platform": self._platform,
            "event": event,
            "meta": meta or {},
            "event_id": event_id or secrets.token_hex(16),
            "occurred_at": at,
        }
        answer = self._deliver("event not logged", "/members/events", body)
        return None if answer is None else answer["event_id"]

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

        None if the service was not reached: your own session counts then.
        """
        try:
            ends_at = time.monotonic() + self._timeout
            active = {}
            for token in _tokens(cookie):
                verdict, _ = self._call("/auth/sso/verify", {"token": token}, ends_at - time.monotonic())
                if verdict["active"]:
                    active.setdefault(verdict["svc_uid"], verdict)
            # Sessions of two members are ambiguous.
            return next(iter(active.values())) if len(active) == 1 else dict(_NO_SESSION)
        except Exception as error:
            _warn("session not verified", error)
            return None

    def logout(self, cookie, scope="one"):
        """Ends the session in a `Cookie` header: {"revoked", "cookies"}. Relay the cookies, which clear the pair.

        None if the service was not reached: the shared session is still live. `scope` may be "all", for every device.
        """
        try:
            headers = {
                "cookie": "; ".join(f"svc_sso={token}" for token in _tokens(cookie)),
                "origin": self._origin,
                "x-svc-client": "maru.py",
            }
            answer, cookies = self._call("/auth/logout", {"scope": scope}, self._timeout, headers)
            return {"revoked": answer.get("revoked") is True, "cookies": cookies}
        except Exception as error:
            _warn("shared session not ended", error)
            return None

    def verify_webhook(self, headers, body):
        """Verifies the signature of a webhook over its raw body, in bytes. False for anything else.

        `headers` is a mapping of headers, or the environment of WSGI.
        """
        try:
            plain = re.compile("^http-")
            names = {
                plain.sub("", str(name).lower().replace("_", "-")): str(value) for name, value in dict(headers).items()
            }
            identifier, at = names["webhook-id"], names["webhook-timestamp"]
            key = base64.b64decode(re.sub("^whsec_", "", self._webhook_secret), validate=True)
            if not key or not re.fullmatch(r"[0-9]{1,12}", at):
                return False
            if abs(time.time() - int(at)) > _WEBHOOK_TOLERANCE_S:
                return False
            signed = f"{identifier}.{at}.".encode() + body
            expected = b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
            # During a change of the secret there is a signature of each.
            given = names["webhook-signature"].encode().split(b" ")[:8]
            return any(hmac.compare_digest(expected, each) for each in given)
        except Exception:
            return False

    def flush(self, on_registered=None):
        """Sends undelivered calls again; run it every minute. `on_registered(local_user_id, svc_uid)` saves a uid."""
        delivered, failures = 0, 0
        try:
            self._outbox.drop_drafts()
            for name in self._outbox.names():
                entry = self._outbox.read(name)
                if failures == _FAILURES_IN_A_ROW_MAX:
                    break
                if entry is None:
                    continue
                path, body = entry
                try:
                    answer = self._answered(path, body, self._timeout)
                    uid = _own_uid(body, answer) if path == "/members/register" else None
                    if uid is not None and on_registered is not None:
                        on_registered(body["local_user_id"], uid)
                    self._outbox.drop(name)
                    delivered, failures = delivered + 1, 0
                except _Refused as error:
                    _warn(f"an undelivered call was refused for good: {_about(body)}", error)
                    self._outbox.drop(name)
                except Exception as error:
                    _warn("an undelivered call is kept", error)
                    failures += 1
        except Exception as error:
            _warn("outbox not sent", error)
        return {"delivered": delivered, "pending": len(self._outbox.names())}

    def reconcile(self, users, on_registered=None):
        """Registers the users that the service lacks; run it every night.

        `users` yields (email, local_user_id, time from which the user has that address): of the sign-up, or of the last
        change. The time is text in ISO 8601 with its zone, a datetime with its zone, or seconds or milliseconds since
        1970. With it a user who left or was erased later is not registered again; a user without it is skipped. Stops
        at the first call that fails.
        """
        report = {"checked": 0, "missing": 0, "registered": 0, "skipped": 0}
        faults = []
        try:
            for batch in _batches(self._registrations(users, report, faults), _HASHES_PER_CALL):
                by_hash = {_address_hash(each["email"]): each for each in batch}
                body = {"platform": self._platform, "hashes": list(by_hash)}
                answer, _ = self._call("/members/reconcile", body, self._timeout)
                missing = [by_hash[each] for each in answer["missing"] if each in by_hash]
                report["checked"] += len(batch)
                report["missing"] += len(missing)
                for part in _batches(missing, _REGISTRATIONS_PER_CALL):
                    report["registered"] += self._register_batch(part, on_registered)
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

    def _register_batch(self, registrations, on_registered):
        answer, _ = self._call("/members/register/batch", {"registrations": registrations}, self._timeout)
        registered = 0
        for body, result in zip(registrations, answer["results"]):
            if not isinstance(result.get("svc_uid"), str):
                _log.warning("members: a user was not registered: %s (%s)", _about(body), _code(result))
                continue
            uid = _own_uid(body, result)
            if uid is None:
                continue
            registered += 1
            try:
                if on_registered is not None:
                    on_registered(body["local_user_id"], uid)
            except Exception as error:
                _warn("a uid was not saved", error)
        return registered

    def _deliver(self, failure, path, body):
        """Calls at once, with the call in the outbox until it has an answer."""
        name = None
        try:
            _require_id(body)
        except _Failed as error:
            _warn(failure, error)
            return None
        try:
            name = self._outbox.put(path, body)
        except Exception as error:
            _warn("the outbox failed", error)
        try:
            # Only a retry needs the time of its first attempt.
            first = {name: value for name, value in body.items() if name != "requested_at"}
            answer = self._answered(path, first, self._timeout)
        except Exception as error:
            _warn(f"{failure}: {_about(body)}", error)
            if name is not None and isinstance(error, _Refused):
                self._outbox.drop(name)
            return None
        if name is not None:
            self._outbox.drop(name)
        return answer

    def _answered(self, path, body, seconds):
        """The answer of a call that changes something. A member without a link has left already."""
        try:
            return self._call(path, body, seconds)[0]
        except _Refused as error:
            if path == "/members/leave" and str(error) == "member_not_found":
                return {"left": False}
            raise

    def _call(self, path, body, seconds, headers=None):
        """JSON object and cookies of an answer. Raises within `seconds`, whatever the server does."""
        key = {} if headers is not None else {"x-api-key": self._key}
        sent = {"content-type": "application/json", "accept": "application/json", **key, **(headers or {})}
        exchange = _Exchange(self._url + path, _json(body).encode(), sent, max(seconds, 0.001))
        status, received, cookies = exchange.result()
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
        is_final = 400 <= status < 500 and "code" in answer and answer.get("retryable") is not True
        # A key can be replaced, its scopes extended, and an address corrected.
        is_correctable = status == 401 or answer.get("code") in ("insufficient_scope", "platform_disabled", "not_found")
        raise (_Refused if is_final and not is_correctable else _Failed)(_code(answer, f"status {status}"))


class _Failed(Exception):
    """The same call may succeed later."""


class _Refused(Exception):
    """The same call cannot succeed."""


class _Exchange:
    """One request in a thread of its own, because no timeout of Python covers names, headers and body together."""

    def __init__(self, url, body, headers, seconds):
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise _Failed("MARU_URL is not set to an address")
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        self._connection = kind(parts.hostname, parts.port, timeout=seconds)
        self._request = ("POST", parts.path, body, headers)
        self._seconds = seconds
        self._results = queue.Queue(1)

    def result(self):
        threading.Thread(target=self._run, daemon=True).start()
        try:
            result = self._results.get(timeout=self._seconds)
        except queue.Empty:
            self._end()
            raise _Failed("no answer in time") from None
        if isinstance(result, Exception):
            raise result
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

    A later call about the same user replaces an earlier one, so that an old address never overtakes a new one.
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

    def put(self, path, body):
        if self._folder == "":
            return None
        os.makedirs(self._folder, mode=0o700, exist_ok=True)
        if len(self.names()) >= _OUTBOX_FILES_MAX:
            raise _Failed("it is full")
        text = _json({"path": path, "body": body})
        digest = hashlib.sha256(_key(body).encode()).hexdigest()[:16]
        name = f"{time.time_ns() // 1_000_000:013}-{secrets.token_hex(4)}-{digest}.json"
        draft = os.path.join(self._folder, f".{name}")
        try:
            with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            os.rename(draft, os.path.join(self._folder, name))
        except OSError:
            self._remove(f".{name}")
            raise
        self._drop_earlier(name)
        return name

    def read(self, name):
        """None for a file that another process has delivered meanwhile."""
        try:
            with open(os.path.join(self._folder, name)) as file:
                entry = json.load(file)
            return entry["path"], entry["body"]
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def drop(self, name):
        self._remove(name)
        self._drop_earlier(name)

    def drop_drafts(self):
        """Removes the drafts of processes that were killed. A young one may be in use."""
        if not os.path.isdir(self._folder):
            return
        before = time.time_ns() // 1_000_000 - _DRAFT_AGE_MAX_MS
        for name in os.listdir(self._folder):
            if name[:1] == "." and self._NAME.fullmatch(name[1:]) and int(name[1:14]) < before:
                self._remove(name)

    def _drop_earlier(self, name):
        key = self._NAME.fullmatch(name).group(1)
        for other in self.names():
            if other < name and self._NAME.fullmatch(other).group(1) == key:
                self._remove(other)

    def _remove(self, name):
        try:
            os.unlink(os.path.join(self._folder, name))
        except OSError:
            pass


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
    "/auth/sso/issue": _has("svc_uid", str),
    "/auth/sso/verify": _is_verdict,
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


def _own_uid(body, answer):
    """The uid of a registered user, with its warnings logged. None if the uid is that of another user."""
    warnings = answer.get("warnings")
    codes = [_code(each) for each in warnings] if isinstance(warnings, list) else []
    uid = answer["svc_uid"]
    for code in codes:
        if code != "local_user_id_mismatch":
            _log.warning("members: %s registered with the warning %s", _about(body), code)
    if "local_user_id_mismatch" not in codes:
        return uid
    _log.warning(
        "members: %s not registered (local_user_id_mismatch): the address belongs to your user with %s. "
        "If that account is closed, call leave with its id, then register again",
        _about(body),
        _shown(uid, "another svc_uid"),
    )
    return None


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
    raise _Failed("no time with a zone, such as 2026-11-22T09:00:00Z")


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


def _key(body):
    """Calls of one key replace each other in the outbox."""
    return f"user {body['local_user_id']}" if "local_user_id" in body else f"event {body['event_id']}"


def _about(body):
    kind, _, identifier = _key(body).partition(" ")
    return f"{kind} {_shown(identifier, 'with an id that is not logged')}"


def _shown(identifier, otherwise):
    """An id for the log. Some platforms use addresses as ids."""
    return identifier if re.fullmatch("[A-Za-z0-9_.:-]{1,64}", identifier) else otherwise


def _code(problem, otherwise="without a code"):
    code = problem.get("code") if isinstance(problem, dict) else None
    return code if isinstance(code, str) and re.fullmatch("[a-z_]{1,40}", code) else otherwise


def _warn(what, error):
    """A line without an address or a key: messages of other errors may have them."""
    known = isinstance(error, (_Failed, _Refused))
    _log.warning("members: %s (%s)", what, error if known else type(error).__name__)
