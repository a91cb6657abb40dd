// Package maru has the hooks of the members service of Maru, for Go 1.19 or newer. Copy this file into a folder maru;
// it needs no module.
//
//	client := maru.FromEnvironment()                                   // once a process
//	member, err := client.Register(ctx, "asha@example.com", "77", nil) // after a confirmed sign-up, and a change of address
//	if err == nil {
//		save(member.SvcUID, member.Email)
//	}
//
// No function panics, and none takes longer than Timeout, whatever the service answers. After a time-out calls fail at
// once for some seconds. An error is logged already: the sign-up or login goes on. OutcomeOf(err) tells what became of
// the call. The settings are environment variables:
//
//	MARU_URL             address of the members service, such as https://id.example.com
//	MARU_API_KEY         the platform's key, svck_...
//	MARU_PLATFORM        the platform's code
//	MARU_ORIGIN          one of the platform's registered origins, for Logout
//	MARU_OUTBOX          optional folder of undelivered calls; all processes of a machine can share it
//	MARU_COOKIE_DOMAIN   domain of the session cookies, such as example.com; empty for those of one host
//	MARU_WEBHOOK_SECRET  optional secret of the webhook endpoint, whsec_...
package maru

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

const (
	answerBytesMax       = 1 << 20
	outboxFilesMax       = 10_000
	hashesPerCall        = 1_000
	registrationsPerCall = 500
	tokensMax            = 8
	webhookToleranceS    = 300
	failuresInARowMax    = 3
	roundsMax            = 5
	pause                = 10 * time.Second
	draftAgeMax          = time.Hour
	exchangeMax          = time.Hour

	grantPath  = "PUT /members/{svc_uid}/entitlements/{code}"
	revokePath = "DELETE /members/{svc_uid}/entitlements/{code}"

	revokeSessionsPath = "/auth/sso/revoke"
)

// Client is the members service for a platform's server. It is safe for concurrent use.
type Client struct {
	URL, Key, Platform, Origin, Outbox, CookieDomain, WebhookSecret string
	// Timeout is the time of a whole call.
	Timeout time.Duration
	// Warn logs a line without an address or a key.
	Warn func(line string)

	http http.Client
	// pausedUntil is a time in milliseconds: visitors do not wait for a service that hangs.
	pausedUntil atomic.Int64
}

// FromEnvironment creates a client with the settings of the environment.
func FromEnvironment() *Client {
	setting := func(name string) string { return strings.TrimSpace(os.Getenv(name)) }
	return &Client{
		URL:           strings.TrimRight(setting("MARU_URL"), "/"),
		Key:           setting("MARU_API_KEY"),
		Platform:      setting("MARU_PLATFORM"),
		Origin:        setting("MARU_ORIGIN"),
		Outbox:        setting("MARU_OUTBOX"),
		CookieDomain:  setting("MARU_COOKIE_DOMAIN"),
		WebhookSecret: setting("MARU_WEBHOOK_SECRET"),
		Timeout:       3 * time.Second,
		Warn:          func(line string) { log.Print(line) },
		// A key must not follow to another host.
		http: http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }},
	}
}

// Member is the answer to a registration.
type Member struct {
	SvcUID string `json:"svc_uid"`
	// Email is the address that the service has taken; empty if a later registration of the user counts.
	Email    string    `json:"-"`
	Created  bool      `json:"created"`
	Tier     string    `json:"tier"`
	Warnings []Problem `json:"warnings"`
}

// Problem is a warning or a refusal. Its codes are in the reference of the service.
type Problem struct {
	Code      string `json:"code"`
	Retryable bool   `json:"retryable"`
}

// Register registers a user after a sign-up or a change of address. From then on the user is let in to the accounts with
// that address on other platforms: call it once the address is confirmed. The extra may be nil. It is an error, too,
// while another user of yours has the address: their uid is not for this user.
func (c *Client) Register(ctx context.Context, email, localUserID string, extra map[string]any) (*Member, error) {
	return c.RegisterUser(ctx, Registration{Email: email, LocalUserID: localUserID, Extra: extra})
}

// Registration is a sign-up with its details.
type Registration struct {
	Email, LocalUserID string
	Extra              map[string]any
	// EmailVerified is false before the address is confirmed; nil is what the platform was declared with.
	EmailVerified *bool
	// Consents are those of the sign-up, as the service takes them.
	Consents []map[string]any
	// RequestedAt is the time of the sign-up, for a call that comes later: who left since stays erased.
	RequestedAt time.Time
}

// RegisterUser registers a user with details.
func (c *Client) RegisterUser(ctx context.Context, user Registration) (*Member, error) {
	body := object{"email": user.Email, "platform": c.Platform, "local_user_id": user.LocalUserID, "extra": user.Extra}
	if user.Extra == nil {
		body["extra"] = map[string]any{}
	}
	if user.EmailVerified != nil {
		body["email_verified"] = *user.EmailVerified
	}
	if user.Consents != nil {
		body["consents"] = user.Consents
	}
	if !user.RequestedAt.IsZero() {
		body["requested_at"] = instant(user.RequestedAt)
	}
	received, err := c.deliver(ctx, "member not registered", "/members/register", body)
	if err != nil {
		return nil, err
	}
	var member Member
	// The uid was checked; a warning of another type is none.
	_ = json.Unmarshal(received, &member)
	member.Email = settledEmail(body, member)
	return &member, nil
}

// Leave ends the membership of a user who closed the account.
func (c *Client) Leave(ctx context.Context, localUserID string) error {
	_, err := c.deliver(ctx, "member not removed", "/members/leave", object{"local_user_id": localUserID})
	return err
}

// Outcome tells what became of a call.
type Outcome string

const (
	// Done is a call that the service has carried out.
	Done Outcome = "done"
	// Waiting is a call in the outbox; Flush sends it.
	Waiting Outcome = "waiting"
	// Refused is a call that can never succeed.
	Refused Outcome = "refused"
	// Lost is a call that was not sent and is not in an outbox.
	Lost Outcome = "lost"
)

// OutcomeOf is the outcome of Register, Leave, LogEvent, Grant or Revoke by its error, with the reason as a code.
func OutcomeOf(err error) (outcome Outcome, reason string) {
	var refusal *Refusal
	var waiting *waitingError
	switch {
	case err == nil:
		return Done, ""
	case errors.As(err, &refusal):
		return Refused, refusal.Code
	case errors.As(err, &waiting):
		return Waiting, reasonOf(waiting.cause)
	case err == errNoUID:
		return Lost, "no_svc_uid"
	}
	return Lost, reasonOf(err)
}

// waitingError is the error of a call that is in the outbox.
type waitingError struct{ cause error }

func (w *waitingError) Error() string { return w.cause.Error() }

func (w *waitingError) Unwrap() error { return w.cause }

var reason = regexp.MustCompile(`^[a-z]+(_[a-z]+)+$`)

func reasonOf(err error) string {
	if reason.MatchString(err.Error()) {
		return err.Error()
	}
	return "unreachable"
}

// LogEvent logs a visit, login, purchase or referral. The event id, such as an order number, counts once. Empty for a
// new one. A user without a svc_uid gets no call: log the event again once the uid is saved.
func (c *Client) LogEvent(ctx context.Context, svcUID, event string, meta map[string]any, eventID string) error {
	return c.LogEventAt(ctx, svcUID, event, meta, eventID, time.Now())
}

// LogEventAt logs an event that occurred earlier.
func (c *Client) LogEventAt(
	ctx context.Context, svcUID, event string, meta map[string]any, eventID string, at time.Time,
) error {
	if svcUID == "" {
		return c.warned("event not logged: "+about(object{"event_id": eventID}), errNoUID)
	}
	if meta == nil {
		meta = map[string]any{}
	}
	if eventID == "" {
		eventID = random(16)
	}
	body := object{
		"svc_uid": svcUID, "platform": c.Platform, "event": event, "meta": meta,
		"event_id": eventID, "occurred_at": instant(at),
	}
	if at.IsZero() {
		body["occurred_at"] = ""
		return c.refuseUnsent("event not logged, no time with a zone", "/members/events", body, "occurred_at")
	}
	_, err := c.deliver(ctx, "event not logged", "/members/events", body)
	return err
}

// Grant grants an entitlement, such as after a payment: since a time, from now on for the zero time; until a time, without
// end for the zero time. A repeat changes nothing. A user without a svc_uid gets no call: grant it again once the uid is
// saved. With the id of your user it reaches no other user who has the svc_uid by now. The key needs the scope
// members:entitle.
func (c *Client) Grant(
	ctx context.Context, svcUID, code string, until, since time.Time, localUserID ...string,
) error {
	period := object{}
	for name, at := range map[string]time.Time{"until": until, "from": since} {
		if !at.IsZero() {
			period[name] = instant(at)
		}
	}
	return c.entitle(ctx, "entitlement not granted", grantPath, svcUID, code, period, localUserID)
}

// Revoke ends what this platform granted of a code, such as after a refund.
func (c *Client) Revoke(ctx context.Context, svcUID, code string, localUserID ...string) error {
	return c.entitle(ctx, "entitlement not revoked", revokePath, svcUID, code, object{}, localUserID)
}

var entitlementCode = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,63}$`)

func (c *Client) entitle(
	ctx context.Context, what, path, svcUID, code string, body object, localUserID []string,
) error {
	if svcUID == "" {
		return c.warned(what+": "+about(object{"code": code}), errNoUID)
	}
	body["svc_uid"], body["code"] = svcUID, code
	if len(localUserID) > 0 {
		body["expected_local_user_id"] = localUserID[0]
	}
	if !entitlementCode.MatchString(code) {
		return c.refuseUnsent(what+", a code is small letters, digits and ._-", path, body, "unknown_entitlement")
	}
	_, err := c.deliver(ctx, what, path, body)
	return err
}

// SSOCookies signs the user in on all platforms. Add each value to your response as a Set-Cookie header of its own.
// With an error there is no shared session, and the values clear an earlier person's: add them all the same.
func (c *Client) SSOCookies(ctx context.Context, email, localUserID string) ([]string, error) {
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	body := object{"email": email, "platform": c.Platform, "local_user_id": localUserID}
	err := requireID(body)
	var cookies []string
	if err == nil {
		_, cookies, err = c.callVisitor(ctx, "/auth/sso/issue", body, nil)
	}
	if err == nil && len(cookies) == 0 {
		err = failure("no cookies")
	}
	if err != nil {
		return c.ClearedCookies(), c.warned("no single sign-on for a login", err)
	}
	return cookies, nil
}

// ClearedCookies are Set-Cookie values for a login without SSOCookies. They clear the session of an earlier person.
func (c *Client) ClearedCookies() []string {
	domains := []string{""}
	if c.CookieDomain != "" {
		domains = []string{"Domain=" + c.CookieDomain + "; ", ""}
	}
	cookies := []string{}
	for _, domain := range domains {
		cookies = append(cookies,
			"svc_sso=; "+domain+"Path=/; Max-Age=0; HttpOnly; SameSite=Lax",
			"svc_uid=; "+domain+"Path=/; Max-Age=0; SameSite=Lax")
	}
	return cookies
}

// Verdict says if the bearer of a session may be logged in here, and as which user.
type Verdict struct {
	Active        bool   `json:"active"`
	SvcUID        string `json:"svc_uid"`
	SignInAllowed bool   `json:"sign_in_allowed"`
	Reason        string `json:"reason"`
	Membership    struct {
		LocalUserID string `json:"local_user_id"`
	} `json:"membership"`
	// Entitlements are the codes in force.
	Entitlements []string `json:"entitlements"`
}

// Verify verifies the Cookie header of a visitor. Log in Membership.LocalUserID if SignInAllowed is true. With an error
// the service was not reached: your own session counts then. While a Register or Leave of the user waits in the outbox,
// the address may be another person's: nobody is signed in as the user.
func (c *Client) Verify(ctx context.Context, cookie string) (Verdict, error) {
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	none := Verdict{Reason: "session_ended"}
	active := map[string]Verdict{}
	given := tokens(cookie)
	names := []string{}
	if len(given) > 0 {
		// Read first: a call that is delivered meanwhile can be newer than the verdict.
		names = c.outboxNames()
	}
	for _, token := range given {
		received, _, err := c.callVisitor(ctx, "/auth/sso/verify", object{"token": token}, nil)
		if err != nil {
			return none, c.warned("session not verified", err)
		}
		var verdict Verdict
		if err := json.Unmarshal(received, &verdict); err != nil {
			return none, c.warned("session not verified", err)
		}
		if verdict.Active {
			active[verdict.SvcUID] = verdict
		}
	}
	// Sessions of two members are ambiguous.
	if len(active) == 1 {
		for uid, verdict := range active {
			if isWaiting(names, "sessions "+uid) {
				return none, nil
			}
			user := verdict.Membership.LocalUserID
			if verdict.SignInAllowed && (isWaiting(names, "user "+user) || isWaiting(names, "leave "+user)) {
				verdict.SignInAllowed, verdict.Reason, verdict.Membership.LocalUserID = false, "no_membership", ""
			}
			return verdict, nil
		}
	}
	return none, nil
}

// Logout ends the session in a Cookie header. Relay the cookies, which clear the pair. With an error the service was
// not reached: the shared session is still live. The scope is "one", or "all" for all shared ones. Without a session in
// the header there is nothing to end: LogoutEverywhere ends those of other devices.
func (c *Client) Logout(ctx context.Context, cookie, scope string) (revoked bool, cookies []string, err error) {
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	pairs := make([]string, 0, 1)
	for _, token := range tokens(cookie) {
		pairs = append(pairs, "svc_sso="+token)
	}
	if len(pairs) == 0 {
		return false, c.ClearedCookies(), nil
	}
	cookie = strings.Join(pairs, "; ")
	headers := map[string]string{"cookie": cookie, "origin": c.Origin, "x-svc-client": "maru.go"}
	received, cookies, err := c.callVisitor(ctx, "/auth/logout", object{"scope": scope}, headers)
	if err != nil {
		return false, nil, c.warned("shared session not ended", err)
	}
	var ended struct {
		Revoked bool `json:"revoked"`
	}
	_ = json.Unmarshal(received, &ended)
	return ended.Revoked, cookies, nil
}

// LogoutEverywhere ends all shared sessions of a member, such as after a new password. After an error Flush repeats it,
// and until then Verify accepts no session of the member; without an outbox repeat it yourself. There is none for a user
// who has no sessions: without a svc_uid, erased, or no member of this platform. A member of whom the platform verified no
// address keeps the sessions that other platforms began.
func (c *Client) LogoutEverywhere(ctx context.Context, svcUID string) error {
	if svcUID == "" {
		return nil
	}
	body := object{"svc_uid": svcUID, "platform": c.Platform, "scope": "all"}
	_, err := c.deliver(ctx, "shared sessions not ended", revokeSessionsPath, body)
	return err
}

// VerifyWebhook verifies the signature of a webhook over its raw body. It is false without the secret, too.
func (c *Client) VerifyWebhook(headers http.Header, body []byte) bool {
	if c.WebhookSecret == "" {
		c.warn("no webhook is accepted: MARU_WEBHOOK_SECRET is not set")
	}
	id, at := headers.Get("webhook-id"), headers.Get("webhook-timestamp")
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(c.WebhookSecret, "whsec_"))
	if err != nil || len(key) == 0 || !regexp.MustCompile(`^[0-9]{1,12}$`).MatchString(at) {
		return false
	}
	atS, _ := strconv.ParseInt(at, 10, 64)
	if age := time.Now().Unix() - atS; age > webhookToleranceS || age < -webhookToleranceS {
		return false
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + at + "."))
	mac.Write(body)
	expected := []byte("v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	// During a change of the secret there is a signature of each.
	for index, each := range strings.Split(headers.Get("webhook-signature"), " ") {
		if index < 8 && hmac.Equal(expected, []byte(each)) {
			return true
		}
	}
	return false
}

// Flush sends undelivered calls again; run it every minute. The first function saves a uid, and the address as settled:
// empty if a later registration of the user counts. The second undoes a registration that was refused for good. Each may
// be nil, and is called again if it fails or if the process is killed. A call that cannot go waits, and the others go on.
// Flush stops after three failures of the service in a row.
func (c *Client) Flush(
	ctx context.Context, save func(localUserID, svcUID, email string) error, undo func(localUserID, code, email string) error,
) (delivered, pending int) {
	failures := 0
	unscoped, blocked := map[string]bool{}, map[string]bool{}
	contested := []contestedCall{}
	c.warnIfUnreadable()
	c.outboxDropDrafts()
	for _, name := range c.outboxNames() {
		if failures == failuresInARowMax || ctx.Err() != nil {
			break
		}
		path, body, ok := c.outboxEntry(name)
		if !ok {
			continue
		}
		// An id may have been given to another user: the former one leaves first.
		user := subjectOf(body)
		if unscoped[path] || user != "" && blocked[user] {
			blocked[user] = true
			continue
		}
		received, err := c.answered(ctx, path, body, c.call)
		if err == nil {
			failures = 0
			var member Member
			_ = json.Unmarshal(received, &member)
			if path == "/members/register" && isMismatch(member.Warnings) {
				contested = append(contested, contestedCall{name, body})
				continue
			}
			err = c.finish(name, path, body, member, save, undo)
		}
		var refusal *Refusal
		var unsaved *unsavedError
		switch {
		case err == nil:
			delivered++
		case errors.As(err, &refusal):
			c.refuseLate(name, path, body, refusal, undo)
		default:
			_ = c.warned("an undelivered call is kept: "+about(body), err)
			blocked[user] = true
			if err == failure(insufficientScope) {
				unscoped[path] = true
			} else if !errors.As(err, &unsaved) {
				failures++
			}
		}
	}
	if len(contested) > 0 && failures < failuresInARowMax {
		delivered += c.settle(ctx, contested, save, undo)
	}
	return delivered, len(c.outboxNames())
}

type contestedCall struct {
	name string
	body object
}

// unsavedError is the error of a platform's function that saves a uid or undoes a registration.
type unsavedError struct{ text string }

func (u *unsavedError) Error() string { return u.text }

// settle registers users who took over addresses of each other in one call, which settles them together.
func (c *Client) settle(
	ctx context.Context, contested []contestedCall,
	save func(localUserID, svcUID, email string) error, undo func(localUserID, code, email string) error,
) (delivered int) {
	others := len(c.outboxNames()) - len(contested)
	for len(contested) > 0 {
		part := contested[:min(len(contested), registrationsPerCall)]
		contested = contested[len(part):]
		bodies := make([]object, len(part))
		for index, call := range part {
			bodies[index] = call.body
		}
		results, err := c.registerBatch(ctx, bodies)
		if err != nil {
			_ = c.warned("outbox not sent", err)
			return delivered
		}
		for index, call := range part {
			result := results[index]
			isExchange := hasWarning(result.Warnings, emailTaken) && isYoung(call.name)
			if isMismatch(result.Warnings) && (others > 0 || isExchange) {
				continue
			}
			if result.SvcUID == "" {
				c.refuseLate(call.name, "/members/register", call.body, &Refusal{codeOf(result.Code, "without a code")}, undo)
				continue
			}
			err := c.finish(call.name, "/members/register", call.body, result.Member, save, undo)
			if c.warned("an undelivered call is kept: "+about(call.body), err) == nil && !isMismatch(result.Warnings) {
				delivered++
			}
		}
	}
	return delivered
}

// finish saves the uid of a delivered registration, or reports that another user has its address, and removes the call.
func (c *Client) finish(
	name, path string, body object, member Member,
	save func(localUserID, svcUID, email string) error, undo func(localUserID, code, email string) error,
) error {
	var err error
	if path == "/members/register" && c.isOwn(body, member.SvcUID, member.Warnings) {
		err = c.notify(save != nil, "the uid was not saved", func() error {
			return save(textOf(body["local_user_id"]), member.SvcUID, settledEmail(body, member))
		})
	} else if path == "/members/register" {
		err = c.notifyRefusal(undo, body, mismatch)
	}
	if err == nil {
		c.outboxDrop(name, path, body)
	}
	return err
}

// notify calls a function of the platform about the user of a registration.
func (c *Client) notify(isGiven bool, what string, function func() error) error {
	if !isGiven {
		return nil
	}
	if err := c.guarded(function); err != nil {
		return &unsavedError{fmt.Sprintf("%s: %T", what, err)}
	}
	return nil
}

func (c *Client) notifyRefusal(undo func(localUserID, code, email string) error, body object, code string) error {
	return c.notify(undo != nil, notTaken, func() error {
		return undo(textOf(body["local_user_id"]), code, textOf(body["email"]))
	})
}

// refuseLate removes a call of the outbox that was refused for good, once the platform has taken the refusal.
func (c *Client) refuseLate(
	name, path string, body object, refusal *Refusal, undo func(localUserID, code, email string) error,
) {
	if path == "/members/register" {
		err := c.notifyRefusal(undo, body, refusal.Code)
		if c.warned("an undelivered call is kept: "+about(body), err) != nil {
			return
		}
	}
	c.refuse("an undelivered call was refused for good", name, path, body, refusal)
}

// refuse removes a call that was refused for good. Of events and entitlements it is kept in the folder refused.
func (c *Client) refuse(what, name, path string, body object, err error) {
	kept := ""
	if name != "" && body["svc_uid"] != nil && c.outboxMove(name, "refused", name) {
		kept = c.keptRefused(name)
	}
	_ = c.warned(what+": "+about(body)+kept, err)
	if name != "" {
		c.outboxDrop(name, path, body)
	}
}

// User is a user of the platform for Reconcile.
type User struct {
	Email, LocalUserID string
	// Since is the time from which the user has that address: of its confirmation. With it a user who
	// left or was erased later is not registered again; a user without it is skipped. Leave out users whose address is
	// not confirmed.
	Since time.Time
}

// Report is the result of Reconcile.
type Report struct{ Checked, Missing, Registered, Skipped int }

// Reconcile registers the users that the service lacks; run it every night, with all users in parts of any size. The
// function, which may be nil, is that of Flush. It stops at the first call that fails.
func (c *Client) Reconcile(
	ctx context.Context, users []User, save func(localUserID, svcUID, email string) error,
) (report Report, err error) {
	c.warnIfUnreadable()
	usable := make([]User, 0, len(users))
	var fault error
	for _, user := range users {
		if err := faultOf(user); err == nil {
			usable = append(usable, user)
		} else if report.Skipped++; fault == nil {
			fault = err
		}
	}
	contested := []contestedUser{}
	for len(usable) > 0 && err == nil {
		batch := usable[:min(len(usable), hashesPerCall)]
		usable = usable[len(batch):]
		var more []contestedUser
		more, err = c.reconcileBatch(ctx, batch, save, &report)
		contested = append(contested, more...)
	}
	// Users who took over addresses of each other: each round frees some.
	for round := 0; round < roundsMax && len(contested) > 0 && err == nil; round++ {
		users := make([]User, len(contested))
		for index, each := range contested {
			users[index] = each.user
		}
		contested, err = c.registerAll(ctx, users, save, &report)
		if len(contested) == len(users) {
			break
		}
	}
	for _, each := range contested {
		c.isOwn(each.body, each.member.SvcUID, each.member.Warnings)
	}
	err = c.warned("members not reconciled", err)
	_ = c.warned(fmt.Sprintf("users skipped by reconcile: %d, the first", report.Skipped), fault)
	return report, err
}

// faultOf is the reason why a user cannot be sent.
func faultOf(user User) error {
	body := object{"local_user_id": user.LocalUserID}
	switch {
	case requireID(body) != nil:
		return requireID(body)
	case strings.TrimSpace(user.Email) == "":
		return failure(about(body) + ": no address")
	case user.Since.IsZero():
		return failure(about(body) + ": no time with a zone")
	}
	return nil
}

func (c *Client) reconcileBatch(
	ctx context.Context, batch []User, save func(localUserID, svcUID, email string) error, report *Report,
) ([]contestedUser, error) {
	byHash := map[string]User{}
	for _, user := range batch {
		byHash[addressHash(user.Email)] = user
	}
	hashes, ids := make([]string, 0, len(byHash)), make([]string, 0, len(byHash))
	for hash, user := range byHash {
		hashes, ids = append(hashes, hash), append(ids, user.LocalUserID)
	}
	var answer struct {
		Missing []string `json:"missing"`
	}
	body := object{"platform": c.Platform, "hashes": hashes, "local_user_ids": ids}
	if err := c.callOnce(ctx, "/members/reconcile", body, &answer); err != nil {
		return nil, err
	}
	missing := make([]User, 0, len(answer.Missing))
	for _, hash := range answer.Missing {
		if user, ok := byHash[hash]; ok {
			missing = append(missing, user)
		}
	}
	report.Checked += len(batch)
	report.Missing += len(missing)
	return c.registerAll(ctx, missing, save, report)
}

// contestedUser is a user whose address another user has.
type contestedUser struct {
	user   User
	body   object
	member Member
}

// registerAll registers users in batches. It returns those whose address another user has.
func (c *Client) registerAll(
	ctx context.Context, users []User, save func(localUserID, svcUID, email string) error, report *Report,
) (contested []contestedUser, err error) {
	for len(users) > 0 {
		part := users[:min(len(users), registrationsPerCall)]
		users = users[len(part):]
		bodies := make([]object, len(part))
		for index, user := range part {
			bodies[index] = object{
				"email": user.Email, "platform": c.Platform, "local_user_id": user.LocalUserID,
				"requested_at": instant(user.Since),
			}
		}
		results, err := c.registerBatch(ctx, bodies)
		if err != nil {
			return contested, err
		}
		for index, user := range part {
			body, result := bodies[index], results[index]
			switch {
			case result.SvcUID == "":
				c.warn("a user was not registered: " + about(body) + " (" + codeOf(result.Code, "without a code") + ")")
				continue
			case isMismatch(result.Warnings):
				contested = append(contested, contestedUser{user, body, result.Member})
				continue
			}
			c.isOwn(body, result.SvcUID, result.Warnings)
			id, uid, email := user.LocalUserID, result.SvcUID, settledEmail(body, result.Member)
			if email != "" {
				report.Registered++
			}
			if save != nil {
				_ = c.warned("a uid was not saved", c.guarded(func() error { return save(id, uid, email) }))
			}
		}
	}
	return contested, nil
}

// registerResult is the result of one registration of a batch, a member or the code of a refusal.
type registerResult struct {
	Member
	Code string `json:"code"`
}

// registerBatch sends up to 500 registrations. There is a result for each.
func (c *Client) registerBatch(ctx context.Context, bodies []object) ([]registerResult, error) {
	var answer struct {
		Results []registerResult `json:"results"`
	}
	err := c.callOnce(ctx, "/members/register/batch", object{"registrations": bodies}, &answer)
	if err == nil && len(answer.Results) != len(bodies) {
		err = failure("this is not the members service")
	}
	return answer.Results, err
}

// Refusal is the error of a call that cannot succeed. Every other error may pass.
type Refusal struct{ Code string }

func (r *Refusal) Error() string { return r.Code }

// failure is an error whose text may be logged.
type failure string

func (f failure) Error() string { return string(f) }

type object map[string]any

const (
	mismatch = "local_user_id_mismatch"
	// Beside mismatch, for a known user whose new address another one has: the two may be exchanging theirs.
	emailTaken        = "email_taken"
	insufficientScope = "insufficient_scope"
	notTaken          = "the refusal was not taken"
	errNoUID          = failure("the user has no svc_uid yet")
	errPaused         = failure("no call for some seconds after a time-out")
	errTimedOut       = failure("no answer in time")
)

func hasWarning(warnings []Problem, code string) bool {
	for _, warning := range warnings {
		if warning.Code == code {
			return true
		}
	}
	return false
}

// settledEmail is the address of a registration; empty if a later one of the user counts.
func settledEmail(body object, member Member) string {
	if hasWarning(member.Warnings, "registration_outdated") {
		return ""
	}
	return textOf(body["email"])
}

// isMismatch is true for an address that another user of the platform has.
func isMismatch(warnings []Problem) bool { return hasWarning(warnings, mismatch) }

// isOwn logs the warnings of a registration. It is false if the uid is that of another user.
func (c *Client) isOwn(body object, uid string, warnings []Problem) bool {
	isOwn := !isMismatch(warnings)
	for _, warning := range warnings {
		if !isOwn {
			break
		}
		c.warn(about(body) + " registered with the warning " + codeOf(warning.Code, "without a code"))
	}
	if !isOwn {
		c.warn(about(body) + " not registered (" + mismatch + "): the address belongs to your user with " +
			shown(uid, "another svc_uid") +
			". If that user has another address now, register both; only if that account is closed, call Leave with its id")
	}
	return isOwn
}

// refuseUnsent refuses a call as the service would, without sending it.
func (c *Client) refuseUnsent(what, path string, body object, code string) error {
	name, err := c.outboxPut(path, body, "refused")
	_ = c.warned("the outbox failed", err)
	kept := ""
	if name != "" {
		kept = c.keptRefused(name)
	}
	return c.warned(what+": "+about(body)+kept, &Refusal{code})
}

// deliver calls at once, with the call in the outbox until it has an answer.
func (c *Client) deliver(ctx context.Context, what, path string, body object) ([]byte, error) {
	if err := requireID(body); err != nil {
		_ = c.warned(what, err)
		return nil, &Refusal{"local_user_id_missing"}
	}
	// A call may arrive after a later one: the times say which statement counts.
	if body["local_user_id"] != nil && body["requested_at"] == nil {
		body["requested_at"] = now()
	}
	name, err := c.outboxPut(path, body, "")
	_ = c.warned("the outbox failed", err)
	var received []byte
	if name != "" && c.mustWait(name, path, body) {
		err = failure("an earlier call waits")
	} else {
		received, err = c.answered(ctx, path, body, c.callVisitor)
	}
	var refusal *Refusal
	switch {
	case errors.As(err, &refusal):
		c.refuse(what, name, path, body, err)
		return nil, err
	case err != nil && name != "":
		return nil, &waitingError{c.warned(what+": "+about(body), err)}
	case err != nil:
		return nil, c.warned(what+": "+about(body), err)
	}
	if path == "/members/register" {
		var member Member
		_ = json.Unmarshal(received, &member)
		isExchange := hasWarning(member.Warnings, emailTaken)
		if isMismatch(member.Warnings) && name != "" && (isExchange || len(c.outboxNames()) > 1) {
			// The user who has the address may be about to give it up.
			c.warn(about(body) + " waits for an address that another user has")
			return nil, &waitingError{failure(mismatch)}
		}
		if !c.isOwn(body, member.SvcUID, member.Warnings) {
			err = &Refusal{mismatch}
		}
	}
	if name != "" {
		c.outboxDrop(name, path, body)
	}
	return received, err
}

type caller func(context.Context, string, object, map[string]string) ([]byte, []string, error)

// answered is the answer of a call that changes something. A member without a link has left already.
func (c *Client) answered(ctx context.Context, path string, body object, call caller) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	received, _, err := call(ctx, path, body, nil)
	var refusal *Refusal
	switch {
	case !errors.As(err, &refusal):
	case path == "/members/leave" && refusal.Code == "member_not_found":
		return nil, nil
	case path != revokeSessionsPath:
	case refusal.Code == "member_erased", refusal.Code == "member_not_found":
		return nil, nil
	case refusal.Code == "email_unverified" && body["scope"] == "all":
		ofPlatform := object{"svc_uid": body["svc_uid"], "platform": body["platform"], "scope": "platform"}
		received, _, err = call(ctx, path, ofPlatform, nil)
	}
	return received, err
}

func (c *Client) callOnce(ctx context.Context, path string, body object, answer any) error {
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	received, _, err := c.call(ctx, path, body, nil)
	if err == nil && json.Unmarshal(received, answer) != nil {
		err = failure("this is not the members service")
	}
	return err
}

// callVisitor calls for a visitor, who does not wait for a service that hangs: after a time-out it fails at once for
// some seconds.
func (c *Client) callVisitor(
	ctx context.Context, path string, body object, headers map[string]string,
) ([]byte, []string, error) {
	if time.Now().UnixMilli() < c.pausedUntil.Load() {
		return nil, nil, errPaused
	}
	return c.call(ctx, path, body, headers)
}

// call returns the JSON object and the cookies of an answer. The context bounds names, headers and body together.
func (c *Client) call(
	ctx context.Context, path string, body object, headers map[string]string,
) (received []byte, cookies []string, err error) {
	sent, err := json.Marshal(body)
	if err != nil {
		return nil, nil, failure("the call is not JSON")
	}
	method, place, ok := strings.Cut(path, " ")
	if !ok {
		method, place = http.MethodPost, path
	}
	place = strings.NewReplacer("{svc_uid}", textOf(body["svc_uid"]), "{code}", textOf(body["code"])).Replace(place)
	request, err := http.NewRequestWithContext(ctx, method, c.URL+place, bytes.NewReader(sent))
	if err != nil || request.URL.Host == "" {
		return nil, nil, failure("MARU_URL is not set to an address")
	}
	request.Header.Set("content-type", "application/json")
	request.Header.Set("accept", "application/json")
	if headers == nil {
		headers = map[string]string{"x-api-key": c.Key}
	}
	for name, value := range headers {
		request.Header.Set(name, value)
	}
	response, err := c.http.Do(request)
	if err != nil {
		return nil, nil, c.unreached(ctx)
	}
	defer response.Body.Close()
	received, err = io.ReadAll(io.LimitReader(response.Body, answerBytesMax+1))
	if err != nil {
		return nil, nil, c.unreached(ctx)
	}
	c.pausedUntil.Store(0)
	var answer object
	if len(received) > answerBytesMax || json.Unmarshal(received, &answer) != nil || answer == nil {
		return nil, nil, failure(fmt.Sprintf("status %d without a JSON object", response.StatusCode))
	}
	if response.StatusCode >= 200 && response.StatusCode < 300 {
		if !isExpected(path, answer) {
			return nil, nil, failure("this is not the members service")
		}
		return received, response.Header.Values("set-cookie"), nil
	}
	return nil, nil, refusalOf(response.StatusCode, answer)
}

func refusalOf(status int, answer object) error {
	code := codeOf(textOf(answer["code"]), fmt.Sprintf("status %d", status))
	isRetryable := answer["retryable"] == true || answer["code"] == nil
	// A key can be replaced, its scopes extended, and an address corrected.
	isCorrectable := status == 401 || code == insufficientScope || code == "platform_disabled" || code == "not_found"
	if status >= 400 && status < 500 && !isRetryable && !isCorrectable {
		return &Refusal{code}
	}
	return failure(code)
}

func (c *Client) unreached(ctx context.Context) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		c.pausedUntil.Store(time.Now().Add(pause).UnixMilli())
		return errTimedOut
	}
	return failure("unreachable")
}

func isExpected(path string, answer object) bool {
	isText := func(value any) bool { _, ok := value.(string); return ok }
	isBool := func(value any) bool { _, ok := value.(bool); return ok }
	isNumber := func(value any) bool { _, ok := value.(float64); return ok }
	isList := func(value any) bool { _, ok := value.([]any); return ok }
	switch path {
	case "/members/register", "/auth/sso/issue":
		return isText(answer["svc_uid"])
	case "/members/register/batch":
		return isList(answer["results"])
	case "/members/reconcile":
		return isList(answer["missing"])
	case "/members/events":
		return isText(answer["event_id"])
	case grantPath:
		return answer["entitlement"] != nil
	case revokePath:
		return isNumber(answer["ended"])
	case "/members/leave":
		return isBool(answer["left"])
	case revokeSessionsPath:
		return isNumber(answer["revoked"])
	case "/auth/logout":
		return isBool(answer["ok"])
	case "/auth/sso/verify":
		membership, _ := answer["membership"].(map[string]any)
		isKnown := isText(membership["local_user_id"]) || answer["sign_in_allowed"] == false
		return isBool(answer["active"]) && isBool(answer["sign_in_allowed"]) && isKnown
	}
	return false
}

var outboxName = regexp.MustCompile(`^[0-9]{13}-[0-9a-f]{8}-[0-9a-f]{16}\.json$`)

// warnIfUnreadable logs that no call can be read, as in a job of another user. Before the first call there is no folder.
func (c *Client) warnIfUnreadable() {
	fault := "is not set"
	if c.Outbox != "" {
		_, err := os.ReadDir(c.Outbox)
		if names := c.outboxNames(); err == nil && len(names) > 0 {
			var file *os.File
			if file, err = os.Open(filepath.Join(c.Outbox, names[0])); err == nil {
				_ = file.Close()
			}
		}
		if err == nil || os.IsNotExist(err) {
			return
		}
		fault = "cannot be read"
	}
	c.warn("MARU_OUTBOX " + fault + ": run this as the web server's user, with its variables")
}

// outboxNames lists the files of undelivered calls, the oldest first.
func (c *Client) outboxNames() []string {
	names := []string{}
	if c.Outbox == "" {
		return names
	}
	entries, _ := os.ReadDir(c.Outbox)
	for _, entry := range entries {
		if outboxName.MatchString(entry.Name()) {
			names = append(names, entry.Name())
		}
	}
	sort.Strings(names)
	return names
}

// outboxPut writes a file for a call. It contains an address: only its owner can read it. A later registration of a user
// replaces an earlier one, so that an old address never overtakes a new one. A leave replaces both, and no registration
// replaces a leave: the id may have been given to another user. Grants and revocations replace nothing, and are sent in
// their order. A call that is never sent is written in the folder refused.
func (c *Client) outboxPut(path string, body object, where string) (string, error) {
	if c.Outbox == "" {
		return "", nil
	}
	if err := os.MkdirAll(c.Outbox, 0o700); err != nil {
		return "", failure("its folder cannot be made")
	}
	if len(c.outboxNames()) >= outboxFilesMax {
		return "", failure("it is full")
	}
	text, err := json.Marshal(object{"path": path, "body": body})
	if err != nil {
		return "", failure("the call is not JSON")
	}
	name := fmt.Sprintf("%013d-%s-%s.json", time.Now().UnixMilli(), random(4), digestsOf(path, body)[0])
	draft := filepath.Join(c.Outbox, "."+name)
	file, err := os.OpenFile(draft, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", failure("its folder cannot be written")
	}
	_, err = file.Write(text)
	errSync, errClose := file.Sync(), file.Close()
	if err != nil || errSync != nil || errClose != nil || !c.outboxMove("."+name, where, name) {
		_ = os.Remove(draft)
		return "", failure("its folder cannot be written")
	}
	if where == "" {
		c.outboxDropEarlier(name, path, body)
	}
	return name, nil
}

// mustWait is true while a call waits that must be sent before: a leave of the id, or one about the same entitlement.
func (c *Client) mustWait(name, path string, body object) bool {
	switch path {
	case "/members/register":
		path = "/members/leave"
	case grantPath, revokePath:
	default:
		return false
	}
	suffix := "-" + digestsOf(path, body)[0] + ".json"
	for _, other := range c.outboxNames() {
		if other < name && strings.HasSuffix(other, suffix) {
			return true
		}
	}
	return false
}

// isWaiting is true if one of some files is a call with a key.
func isWaiting(names []string, key string) bool {
	for _, name := range names {
		if strings.HasSuffix(name, "-"+digestOf(key)+".json") {
			return true
		}
	}
	return false
}

// keptRefused is the place of a refused call for the log. An earlier one of the same event is removed.
func (c *Client) keptRefused(name string) string {
	entries, _ := os.ReadDir(filepath.Join(c.Outbox, "refused"))
	for _, entry := range entries {
		if other := entry.Name(); other != name && strings.HasSuffix(other, name[22:]) {
			_ = os.Remove(filepath.Join(c.Outbox, "refused", other))
		}
	}
	return ", kept in refused/" + name
}

// outboxMove renames a file into a folder of the outbox; false if that fails.
func (c *Client) outboxMove(from, where, name string) bool {
	folder := filepath.Join(c.Outbox, where)
	return os.MkdirAll(folder, 0o700) == nil &&
		os.Rename(filepath.Join(c.Outbox, from), filepath.Join(folder, name)) == nil
}

// isYoung is true while the other user of an exchange may still change the address.
func isYoung(name string) bool {
	at, _ := strconv.ParseInt(name[:13], 10, 64)
	return time.Now().Add(-exchangeMax).UnixMilli() < at
}

// outboxDropDrafts removes the drafts of processes that were killed. A young one may be in use.
func (c *Client) outboxDropDrafts() {
	if c.Outbox == "" {
		return
	}
	before := time.Now().Add(-draftAgeMax).UnixMilli()
	entries, _ := os.ReadDir(c.Outbox)
	for _, entry := range entries {
		name := entry.Name()
		if !strings.HasPrefix(name, ".") || !outboxName.MatchString(name[1:]) {
			continue
		}
		if at, _ := strconv.ParseInt(name[1:14], 10, 64); at < before {
			_ = os.Remove(filepath.Join(c.Outbox, name))
		}
	}
}

// outboxEntry reads a file; false if another process has delivered it meanwhile, or if it is set aside as unreadable.
func (c *Client) outboxEntry(name string) (path string, body object, ok bool) {
	var entry struct {
		Path string `json:"path"`
		Body object `json:"body"`
	}
	text, err := os.ReadFile(filepath.Join(c.Outbox, name))
	if err != nil {
		return "", nil, false
	}
	if json.Unmarshal(text, &entry) != nil || entry.Path == "" || entry.Body == nil {
		if c.outboxMove(name, "unreadable", name) {
			c.warn("an unreadable file of the outbox is kept in unreadable/" + name)
		}
		return "", nil, false
	}
	return entry.Path, entry.Body, true
}

func (c *Client) outboxDrop(name, path string, body object) {
	_ = os.Remove(filepath.Join(c.Outbox, name))
	c.outboxDropEarlier(name, path, body)
}

func (c *Client) outboxDropEarlier(name, path string, body object) {
	for _, other := range c.outboxNames() {
		for _, digest := range digestsOf(path, body)[1:] {
			if other < name && strings.HasSuffix(other, digest+".json") {
				_ = os.Remove(filepath.Join(c.Outbox, other))
			}
		}
	}
}

var sessionCookie = regexp.MustCompile(`^svc_sso=(svcs_[a-z2-7]+)$`)

// tokens are the session tokens of a Cookie header; other cookies are none of the service's business.
func tokens(cookie string) []string {
	found := []string{}
	for _, pair := range strings.Split(cookie, ";") {
		if match := sessionCookie.FindStringSubmatch(strings.TrimSpace(pair)); match != nil && len(found) < tokensMax {
			found = append(found, match[1])
		}
	}
	return found
}

// addressHash is the hash of an address as the service writes it. An unusual one counts as missing: registering again
// is harmless.
func addressHash(email string) string {
	digest := sha256.Sum256([]byte(strings.ToLower(strings.TrimSpace(email))))
	return hex.EncodeToString(digest[:])
}

// guarded runs a function of the platform, whose panic is an error.
func (c *Client) guarded(task func() error) (err error) {
	defer func() {
		if recover() != nil {
			err = failure("panic")
		}
	}()
	return task()
}

// warned logs an error and returns it. Only texts of this file are logged: others may have an address.
func (c *Client) warned(what string, err error) error {
	var refusal *Refusal
	var unsaved *unsavedError
	var known failure
	switch {
	case err == nil:
	case errors.As(err, &refusal), errors.As(err, &unsaved), errors.As(err, &known):
		c.warn(what + " (" + err.Error() + ")")
	default:
		c.warn(fmt.Sprintf("%s (%T)", what, err))
	}
	return err
}

func (c *Client) warn(text string) {
	if c.Warn != nil {
		c.Warn("members: " + text)
	}
}

var code = regexp.MustCompile(`^[a-z_]{1,40}$`)

func codeOf(text, otherwise string) string {
	if code.MatchString(text) {
		return text
	}
	return otherwise
}

func textOf(value any) string {
	text, _ := value.(string)
	return text
}

func requireID(body object) error {
	if id, ok := body["local_user_id"].(string); ok && strings.TrimSpace(id) == "" {
		return failure("the user has no id")
	}
	return nil
}

// digestsOf are the digest of a call in the outbox, then those of earlier calls that it replaces.
func digestsOf(path string, body object) []string {
	user := "user " + textOf(body["local_user_id"])
	keys := []string{user, user}
	switch path {
	case "/members/events":
		event := "event " + textOf(body["event_id"])
		keys = []string{event, event}
	case "/members/leave":
		leave := "leave " + textOf(body["local_user_id"])
		keys = []string{leave, leave, user}
	case grantPath, revokePath:
		keys = []string{subjectOf(body)}
	case revokeSessionsPath:
		sessions := "sessions " + textOf(body["svc_uid"])
		keys = []string{sessions, sessions}
	}
	digests := make([]string, len(keys))
	for index, key := range keys {
		digests[index] = digestOf(key)
	}
	return digests
}

func digestOf(key string) string {
	digest := sha256.Sum256([]byte(key))
	return hex.EncodeToString(digest[:8])
}

// subjectOf is the user or entitlement whose calls are sent in their order; empty for another call.
func subjectOf(body object) string {
	if code := textOf(body["code"]); code != "" {
		return "entitlement " + textOf(body["svc_uid"]) + " " + code
	}
	return textOf(body["local_user_id"])
}

var aboutNames = [][2]string{
	{"event", "event_id"}, {"entitlement", "code"}, {"user", "local_user_id"}, {"sessions of", "svc_uid"},
}

func about(body object) string {
	for _, each := range aboutNames {
		if name := textOf(body[each[1]]); name != "" {
			return each[0] + " " + shown(name, "with an id that is not logged")
		}
	}
	return "user with an id that is not logged"
}

var plainID = regexp.MustCompile(`^[A-Za-z0-9_.:-]{1,64}$`)

// shown is an id for the log. Some platforms use addresses as ids.
func shown(id, otherwise string) string {
	if plainID.MatchString(id) {
		return id
	}
	return otherwise
}

func random(size int) string {
	random := make([]byte, size)
	_, _ = rand.Read(random)
	return hex.EncodeToString(random)
}

func now() string { return instant(time.Now()) }

func instant(at time.Time) string { return at.UTC().Format("2006-01-02T15:04:05.000Z") }

func min(a, b int) int {
	if a < b {
		return a
	}
	return b
}
