"""Runs the hooks for the tests: a call a line, its words separated by tabs, and a line of words as the result."""

import os
import signal
import sys
from decimal import Decimal

sys.path.insert(0, os.environ["HOOKS"])
from maru import Maru  # noqa: E402

maru = Maru(timeout=float(os.environ["TIMEOUT_MS"]) / 1000)


def die_now():
    """Ends the process as kill -9 does, between a callback and what follows it."""
    if "DIE" in os.environ:
        os.kill(os.getpid(), signal.SIGKILL)


def run(call, *given):
    if call == "register":
        email, user, *verified = [word or None for word in given]
        member = maru.register(email, user, **({"email_verified": verified[0] == "true"} if verified else {}))
        return [member["svc_uid"] or "-", member["outcome"], member["code"] or "-"]
    if call == "settle":
        email, user, at = given
        return [maru.register(email, user, requested_at=at)["email"] or "-"]
    if call == "cookies":
        return maru.sso_cookies(*given)
    if call == "verify":
        verdict = maru.verify(*given)
        if verdict is None:
            return ["-"]
        if verdict["sign_in_allowed"]:
            return ["yes", verdict["membership"]["local_user_id"], *verdict["entitlements"]]
        return ["no", verdict["reason"]]
    if call == "logout":
        ended = maru.logout(*given)
        return ["-"] if ended is None else [str(ended["revoked"]).lower(), *ended["cookies"]]
    if call == "leave":
        left = maru.leave(*given)
        return [left["outcome"], left["code"] or "-"]
    if call in ("grant", "revoke"):
        changed = getattr(maru, call)(*given)
        return [changed["outcome"], changed["code"] or "-"]
    if call == "grant_to":
        changed = maru.grant(*given[:2], local_user_id=given[2])
        return [changed["outcome"], changed["code"] or "-"]
    if call == "revoke_from":
        changed = maru.revoke(*given)
        return [changed["outcome"], changed["code"] or "-"]
    if call == "everywhere":
        return [str(maru.logout_everywhere(*given)).lower()]
    if call == "event":
        svc_uid, event, event_id, *at = given
        logged = maru.log_event(svc_uid, event, {"amount": Decimal("1")}, event_id, *at)
        return [logged["event_id"] if logged["outcome"] == "done" else "-", logged["outcome"], logged["code"] or "-"]
    if call == "webhook":
        identifier, at, signature, body = given
        headers = {"Webhook-Id": identifier, "Webhook-Timestamp": at, "Webhook-Signature": signature}
        environ = {f"HTTP_{name.upper().replace('-', '_')}": value for name, value in headers.items()}
        results = {maru.verify_webhook(each, body.encode()) for each in (headers, environ)}
        return [",".join(str(each).lower() for each in results)]
    late = []

    def save(*user):
        if user[0].endswith("unsaved"):
            raise KeyError(user[0])
        late.append("=".join(word for word in user if word is not None))
        die_now()

    def undo(user, code, email):
        if user.endswith("unsaved"):
            raise KeyError(user)
        late.append(f"{user}!{code}!{email}")
        die_now()

    if call == "flush":
        report = maru.flush(save, undo)
        return [str(report["delivered"]), str(report["pending"]), *late]
    known = [float(word) if word.isdigit() else word or None for word in given]
    users = [known[at : at + 3] for at in range(0, len(known), 3)]
    report = maru.reconcile(users, save)
    return [f"{report['checked']}/{report['missing']}/{report['registered']}/{report['skipped']}", *late]


for line in sys.stdin:
    print("\t".join(run(*line.rstrip("\n").split("\t"))), flush=True)
