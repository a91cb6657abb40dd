# frozen_string_literal: true

require "base64"
require "digest"
require "fileutils"
require "json"
require "logger"
require "net/http"
require "openssl"
require "securerandom"
require "time"
require "uri"

# Hooks of the members service of Maru, for Ruby 3.0 or newer. Copy this file; it needs no gem.
#
#   maru = Maru.new                                      # once a process
#   member = maru.register("asha@example.com", user.id)  # after a confirmed sign-up, and after a change of address
#   user.update!(svc_uid: member["svc_uid"]) if member["svc_uid"]
#
# No method raises, and none takes longer than `timeout` seconds, whatever the service answers. After a time-out calls
# fail at once for some seconds. A failure is logged. `register`, `leave`, `log_event`, `grant` and `revoke` return a hash
# with an "outcome":
#
#   done     the service has done it
#   waiting  it is in the outbox, and `flush` sends it
#   refused  it can never succeed; "code" has the reason
#   lost     it was not sent, and is not in an outbox
#
# The settings are environment variables:
#
#   MARU_URL             address of the members service, such as https://id.example.com
#   MARU_API_KEY         the platform's key, svck_...
#   MARU_PLATFORM        the platform's code
#   MARU_ORIGIN          one of the platform's registered origins, for `logout`
#   MARU_OUTBOX          optional folder of undelivered calls; all processes of a machine can share it
#   MARU_COOKIE_DOMAIN   domain of the session cookies, such as example.com; empty for those of one host
#   MARU_WEBHOOK_SECRET  optional secret of the webhook endpoint, whsec_...
class Maru
  ANSWER_BYTES_MAX = 1_048_576
  OUTBOX_FILES_MAX = 10_000
  HASHES_PER_CALL = 1_000
  REGISTRATIONS_PER_CALL = 500
  TOKENS_MAX = 8
  WEBHOOK_TOLERANCE_S = 300
  FAILURES_IN_A_ROW_MAX = 3
  ROUNDS_MAX = 5
  PAUSE_S = 10
  DRAFT_AGE_MAX_MS = 3_600_000
  EXCHANGE_MS_MAX = 3_600_000
  NOT_TAKEN = "the refusal was not taken"
  # From here on a number is milliseconds: as seconds it is the year 5138.
  MILLISECONDS_FROM = 100_000_000_000
  TIME = /\A[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,9})?)?(Z|[+-][0-9]{2}:?[0-9]{2})\z/
  GRANT = "PUT /members/{svc_uid}/entitlements/{code}"
  REVOKE = "DELETE /members/{svc_uid}/entitlements/{code}"
  REVOKE_SESSIONS = "/auth/sso/revoke"
  NO_ZONE = "no time with a zone, such as 2026-11-22T09:00:00Z"
  NO_SESSION = {
    "active" => false, "svc_uid" => nil, "session_id" => nil, "tier" => nil,
    "sign_in_allowed" => false, "reason" => "session_ended", "membership" => nil, "entitlements" => []
  }.freeze

  # The same call may succeed later.
  class Failure < StandardError; end

  # The service answered, but the platform could not save it.
  class Unsaved < Failure; end

  # The same call cannot succeed.
  class Refusal < StandardError; end

  def initialize(timeout: 3.0, logger: Logger.new($stderr), environment: ENV)
    setting = ->(name) { environment.fetch(name, "").strip }
    @url = setting.call("MARU_URL").delete_suffix("/")
    @key = setting.call("MARU_API_KEY")
    @platform = setting.call("MARU_PLATFORM")
    @origin = setting.call("MARU_ORIGIN")
    @cookie_domain = setting.call("MARU_COOKIE_DOMAIN")
    @webhook_secret = setting.call("MARU_WEBHOOK_SECRET")
    @outbox = Outbox.new(setting.call("MARU_OUTBOX"))
    @timeout = timeout
    @paused_until = 0
    @logger = logger
  end

  # Registers a user after a sign-up or a change of address: the answer, with "outcome", "code", "svc_uid" and "email". From then
  # on the user is let in to the accounts with that address on other platforms. Call it once the address is confirmed;
  # before that, give `email_verified: false`. `consents` are those of the sign-up. `requested_at` is the time of the
  # sign-up, for a call that comes later: who left since stays erased. "svc_uid" is nil unless the outcome is "done": that
  # of another user's address is not for this user. "email" is the address that the service has taken; nil, too, if a
  # later registration of the user counts.
  def register(email, local_user_id, extra: {}, email_verified: nil, consents: nil, requested_at: nil)
    failure = "member not registered"
    at = requested_at && guarded(failure) { time_text(requested_at) }
    return { "outcome" => "refused", "code" => "requested_at", "svc_uid" => nil, "email" => nil } if requested_at && at.nil?

    body = {
      email: email, platform: @platform, local_user_id: local_user_id.to_s, extra: extra,
      email_verified: email_verified, consents: consents, requested_at: at
    }.compact
    { "svc_uid" => nil, "email" => nil }.merge(deliver(failure, "/members/register", body))
  end

  # Ends the membership of a user who closed the account. "done" also if there is none.
  def leave(local_user_id)
    deliver("member not removed", "/members/leave", { local_user_id: local_user_id.to_s })
  end

  # Logs a visit, login, purchase or referral. An event_id of your own, such as an order number, counts once. "lost" with
  # the code "no_svc_uid" for a user who has none yet: log the event again once it is saved, with the time at which it
  # occurred, as `reconcile` takes it.
  def log_event(svc_uid, event, meta: {}, event_id: SecureRandom.hex(16), occurred_at: nil)
    if svc_uid.to_s.empty?
      warn_of("event not logged: #{about({ event_id: event_id })}", Failure.new("the user has no svc_uid yet"))
      return { "outcome" => "lost", "code" => "no_svc_uid", "event_id" => event_id }
    end

    failure = "event not logged"
    begin
      at = occurred_at.nil? ? now : time_text(occurred_at)
    rescue StandardError
      at, failure, refusal = occurred_at, "#{failure}, #{NO_ZONE}", "occurred_at"
    end
    body = {
      svc_uid: svc_uid, platform: @platform, event: event, meta: meta, event_id: event_id, occurred_at: at
    }
    { "event_id" => event_id }.merge(deliver(failure, "/members/events", body, refusal))
  end

  # Grants an entitlement, such as after a payment: `since` a time or from now on, until an end or without one. Times are
  # as `reconcile` takes them. A repeat changes nothing. "lost" with the code "no_svc_uid" for a user who has none yet:
  # grant it again once it is saved. With `local_user_id` it reaches no other user who has the svc_uid by now. The key
  # needs the scope members:entitle.
  def grant(svc_uid, code, ends_at = nil, since = nil, local_user_id: nil)
    entitle("entitlement not granted", GRANT, svc_uid, code, { until: ends_at, from: since }, local_user_id)
  end

  # Ends what this platform granted of a code, such as after a refund. "done" also if there is nothing.
  def revoke(svc_uid, code, local_user_id: nil)
    entitle("entitlement not revoked", REVOKE, svc_uid, code, {}, local_user_id)
  end

  # Signs the user in on all platforms. The Set-Cookie values for your response, each its own header. The first begins
  # with svc_sso=svcs_. Otherwise there is no shared session, and they clear an earlier person's.
  def sso_cookies(email, local_user_id)
    cookies = guarded("no single sign-on for a login") do
      body = { email: email, platform: @platform, local_user_id: local_user_id.to_s }
      require_id(body)
      call("/auth/sso/issue", body).last
    end
    cookies.nil? || cookies.empty? ? cleared_cookies : cookies
  end

  # Set-Cookie values for a login without `sso_cookies`. They clear the session of an earlier person.
  def cleared_cookies
    domains = @cookie_domain.empty? ? [""] : ["Domain=#{@cookie_domain}; ", ""]
    domains.flat_map do |domain|
      { "svc_sso" => "HttpOnly; ", "svc_uid" => "" }.map do |name, only|
        "#{name}=; #{domain}Path=/; Max-Age=0; #{only}SameSite=Lax"
      end
    end
  end

  # Verifies the Cookie header of a visitor. Log in ["membership"]["local_user_id"] if ["sign_in_allowed"] is true.
  # Nil if the service was not reached: your own session counts then. While a `register` or `leave` of the user waits in
  # the outbox, the address may be another person's: nobody is signed in as the user.
  def verify(cookie)
    guarded("session not verified") do
      ends_at = monotonic + @timeout
      given = tokens(cookie)
      # Read first: a call that is delivered meanwhile can be newer than the verdict.
      names = given.empty? ? [] : @outbox.names
      active = {}
      given.each do |token|
        verdict, = call("/auth/sso/verify", { token: token }, seconds: ends_at - monotonic)
        active[verdict["svc_uid"]] ||= verdict if verdict["active"]
      end
      # Sessions of two members are ambiguous.
      active.size == 1 ? settled(active.values.first, names) : NO_SESSION
    end
  end

  # Ends the session in a Cookie header: { revoked:, cookies: }. Relay the cookies, which clear the pair. Nil if the
  # service was not reached: the shared session is still live. The scope may be "all", for all shared ones. Without a
  # session in the header there is nothing to end: `logout_everywhere` ends those of other devices.
  def logout(cookie, scope: "one")
    guarded("shared session not ended") do
      pairs = tokens(cookie).map { |token| "svc_sso=#{token}" }
      next { revoked: false, cookies: cleared_cookies } if pairs.empty?

      headers = {
        "cookie" => pairs.join("; "),
        "origin" => @origin,
        "x-svc-client" => "maru.rb"
      }
      answer, cookies = call("/auth/logout", { scope: scope }, headers: headers)
      { revoked: answer["revoked"] == true, cookies: cookies }
    end
  end

  # Ends all shared sessions of a member, such as after a new password. True once it is done. Otherwise `flush` repeats
  # it, and until then `verify` accepts no session of the member; without an outbox repeat it yourself. True also for a
  # user who has none: without a svc_uid, erased, or no member of this platform. A member of whom the platform verified no
  # address keeps the sessions that other platforms began.
  def logout_everywhere(svc_uid)
    return true if svc_uid.to_s.empty?

    body = { svc_uid: svc_uid.to_s, platform: @platform, scope: "all" }
    deliver("shared sessions not ended", REVOKE_SESSIONS, body)["outcome"] == "done"
  end

  # Verifies the signature of a webhook over its raw body. Takes the Rack environment or a hash of headers. False for
  # anything else, and without the secret.
  def verify_webhook(headers, body)
    log("no webhook is accepted: MARU_WEBHOOK_SECRET is not set") if @webhook_secret.empty?
    names = headers.to_h.transform_keys { |name| name.to_s.downcase.tr("_", "-").delete_prefix("http-") }
    id, at, given = names.values_at("webhook-id", "webhook-timestamp", "webhook-signature").map(&:to_s)
    key = Base64.strict_decode64(@webhook_secret.delete_prefix("whsec_"))
    return false if key.empty? || !at.match?(/\A[0-9]{1,12}\z/)
    return false if (Time.now.to_i - at.to_i).abs > WEBHOOK_TOLERANCE_S

    signed = [id, ".", at, ".", body].map(&:b).join
    expected = "v1,#{Base64.strict_encode64(OpenSSL::HMAC.digest("SHA256", key, signed))}"
    # During a change of the secret there is a signature of each.
    given.split(" ").first(8).any? do |each|
      each.bytesize == expected.bytesize && OpenSSL.fixed_length_secure_compare(each, expected)
    end
  rescue StandardError
    false
  end

  # Sends undelivered calls again; run it every minute. The block, { |local_user_id, svc_uid, email| ... }, saves a uid, and
  # the address as settled: nil if a later registration of the user counts.
  # on_refused.call(local_user_id, code, email) undoes the address of a registration that was refused for good, if the
  # user has it still. Both are called again if they
  # fails, or if the process is killed. A call that cannot go waits, and the others go on. Stops after three failures of
  # the service in a row.
  def flush(on_refused: nil, &on_registered)
    report = { delivered: 0, refused: 0 }
    warn_if_unreadable
    guarded("outbox not sent") do
      @outbox.drop_drafts
      contested = send_outbox(report, on_registered, on_refused)
      settle_outbox(report, on_registered, on_refused, contested)
    end
    report.merge(pending: @outbox.names.size)
  end

  # Registers the users that the service lacks; run it every night. A user is [email, local user id, time from which the
  # user has that address]: of its confirmation. The time is a Time, text in ISO 8601 with its zone,
  # or seconds or milliseconds since 1970. With it a user who left or was erased later is not registered again; a user
  # without it is skipped. Leave out users whose address is not confirmed. The block is that of `flush`. Stops at the first
  # call that fails.
  def reconcile(users, &on_registered)
    report = { checked: 0, missing: 0, registered: 0, skipped: 0 }
    warn_if_unreadable
    fault = nil
    contested = []
    guarded("members not reconciled") do
      users.each_slice(HASHES_PER_CALL) do |given|
        batch = given.filter_map do |user|
          registration(user)
        rescue StandardError => e
          fault ||= e
          report[:skipped] += 1
          nil
        end
        next if batch.empty?

        by_hash = batch.to_h { |each| [address_hash(each[:email]), each] }
        ids = by_hash.values.map { |each| each[:local_user_id] }
        body = { platform: @platform, hashes: by_hash.keys, local_user_ids: ids }
        answer, = call("/members/reconcile", body, patient: true)
        missing = by_hash.values_at(*answer["missing"]).compact
        report[:checked] += batch.size
        report[:missing] += missing.size
        contested += register_all(missing, report, on_registered)
      end
      # Users who took over addresses of each other: each round frees some.
      ROUNDS_MAX.times do
        count = contested.size
        contested = register_all(contested.map(&:first), report, on_registered)
        break if [0, count].include?(contested.size)
      end
      contested.each { |body, result| own_uid(body, result) }
    end
    warn_of("users skipped by reconcile: #{report[:skipped]}, the first", fault) if fault
    report
  end

  private

  def entitle(failure, path, svc_uid, code, period, local_user_id)
    if svc_uid.to_s.empty?
      warn_of("#{failure}: #{about({ code: code })}", Failure.new("the user has no svc_uid yet"))
      return { "outcome" => "lost", "code" => "no_svc_uid" }
    end

    times = period.compact
    if code.match?(/\A[a-z0-9][a-z0-9._-]{0,63}\z/)
      begin
        times = times.transform_values { |at| time_text(at) }
      rescue StandardError
        failure, refusal = "#{failure}, #{NO_ZONE}", "invalid_period"
      end
    else
      failure, refusal = "#{failure}, a code is small letters, digits and ._-", "unknown_entitlement"
    end
    user = local_user_id.nil? ? {} : { expected_local_user_id: local_user_id.to_s }
    deliver(failure, path, { svc_uid: svc_uid, code: code, **times, **user }, refusal)
  end

  # The registration of a user of `reconcile`. Raises for one that cannot be sent.
  def registration(user)
    email, id, since = user
    body = { email: email, platform: @platform, local_user_id: id.to_s }
    require_id(body)
    raise Failure, "#{about(body)}: no address" unless email.is_a?(String) && !email.strip.empty?

    begin
      body.merge(requested_at: time_text(since))
    rescue Failure => e
      raise Failure, "#{about(body)}: #{e.message}"
    end
  end

  # Registers users in batches. Returns those whose address another user has, with the answers.
  def register_all(registrations, report, on_registered)
    registrations.each_slice(REGISTRATIONS_PER_CALL).flat_map do |part|
      answer, = call("/members/register/batch", { registrations: part }, patient: true)
      part.zip(answer["results"]).filter_map do |body, result|
        unless result.is_a?(Hash) && result["svc_uid"].is_a?(String)
          log("a user was not registered: #{about(body)} (#{code_of(result)})")
          next
        end
        next [body, result] if mismatch?(result)

        uid = own_uid(body, result)
        email = settled_email(body, result)
        report[:registered] += 1 if email
        guarded("a uid was not saved") { on_registered&.call(body[:local_user_id], uid, email) }
        nil
      end
    end
  end

  def warn_if_unreadable
    fault = @outbox.fault
    log("MARU_OUTBOX #{fault}: run this as the web server's user, with its variables") if fault
  end

  # Sends each call of the outbox. Returns the registrations whose address another user has, by file.
  def send_outbox(report, on_registered, on_refused)
    failures = 0
    unscoped, blocked, contested = {}, {}, {}
    @outbox.names.each do |name|
      entry = @outbox.read(name)
      break if failures == FAILURES_IN_A_ROW_MAX
      if entry == false && @outbox.set_aside(name, "unreadable")
        log("an unreadable file of the outbox is kept in unreadable/#{name}")
      end
      next unless entry

      path, body = entry.values_at("path", "body")
      # An id may have been given to another user: the former one leaves first.
      user = subject_of(body)
      if unscoped[path] || (user && blocked[user])
        blocked[user] = true
        next
      end
      begin
        answer = answered(path, body)
        failures = 0
        if path == "/members/register" && mismatch?(answer)
          contested[name] = body
        else
          finish(name, path, body, answer, on_registered, on_refused)
          report[:delivered] += 1
        end
      rescue Refusal => e
        report[:refused] += refuse_late(name, path, body, e, on_refused)
      rescue StandardError => e
        warn_of("an undelivered call is kept: #{about(body)}", e)
        blocked[user] = true
        unscoped[path] = true if e.message == "insufficient_scope"
        failures += 1 unless unscoped[path] || e.is_a?(Unsaved)
      end
    end
    contested
  end

  # Registers users who took over addresses of each other in one call, which settles them together.
  def settle_outbox(report, on_registered, on_refused, contested)
    path = "/members/register"
    others = @outbox.names.size - contested.size
    contested.each_slice(REGISTRATIONS_PER_CALL) do |part|
      answer, = call("#{path}/batch", { registrations: part.map(&:last) }, patient: true)
      part.zip(answer["results"]) do |(name, body), result|
        result = {} unless result.is_a?(Hash)
        next if mismatch?(result) && (others.positive? || (moving?(result) && young?(name)))

        begin
          raise Refusal, code_of(result) unless result["svc_uid"].is_a?(String)

          finish(name, path, body, result, on_registered, on_refused)
          report[mismatch?(result) ? :refused : :delivered] += 1
        rescue Refusal => e
          report[:refused] += refuse_late(name, path, body, e, on_refused)
        rescue Unsaved => e
          warn_of("an undelivered call is kept: #{about(body)}", e)
        end
      end
    end
  end

  # Saves the uid of a delivered registration, or reports that another user has its address, and removes the call.
  def finish(name, path, body, answer, on_registered, on_refused)
    if path == "/members/register"
      uid = own_uid(body, answer)
      if uid then notify("the uid was not saved", on_registered, body["local_user_id"], uid, settled_email(body, answer))
      else notify_refusal(on_refused, body, "local_user_id_mismatch")
      end
    end
    @outbox.drop(name, keys_of(path, body))
  end

  # Calls a function of the platform about the user of a registration.
  def notify(failure, function, *given)
    function&.call(*given)
  rescue StandardError => e
    raise Unsaved, "#{failure}: #{e.class}"
  end

  def notify_refusal(function, body, code)
    notify(NOT_TAKEN, function, body["local_user_id"], code, body["email"])
  end

  # Removes a call of the outbox that was refused for good: 1, or 0 while the platform cannot take the refusal.
  def refuse_late(name, path, body, error, on_refused)
    notify_refusal(on_refused, body, error.message) if path == "/members/register"
    refuse("an undelivered call was refused for good", name, path, body, error)
    1
  rescue Unsaved => e
    warn_of("an undelivered call is kept: #{about(body)}", e)
    0
  end

  # Removes a call that was refused for good. Of events and entitlements it is kept in the folder "refused".
  def refuse(what, name, path, body, error)
    is_kept = name && value_of(body, :svc_uid) && @outbox.set_aside(name, "refused")
    warn_of("#{what}: #{about(body)}#{@outbox.kept_refused(name) if is_kept}", error)
    @outbox.drop(name, keys_of(path, body)) if name
  end

  # Refuses a call as the service would, without sending it.
  def refuse_unsent(what, path, body, code)
    name = guarded("the outbox failed") { @outbox.put(keys_of(path, body), path, body, "refused") }
    warn_of("#{what}: #{about(body)}#{@outbox.kept_refused(name) if name}", Refusal.new(code))
    { "outcome" => "refused", "code" => code }
  end

  # Calls at once, with the call in the outbox until it has an answer: the answer with its outcome. With the code of a
  # refusal it is not sent: it is refused as if by the service.
  def deliver(failure, path, body, refusal = nil)
    body = guarded(failure) { plain(require_id(body)) }
    return { "outcome" => "refused", "code" => "local_user_id_missing" } if body.nil?
    return refuse_unsent(failure, path, body, refusal) if refusal

    # A call may arrive after a later one: the times say which statement counts.
    body = { requested_at: now }.merge(body) if body.key?(:local_user_id)
    name = guarded("the outbox failed") { @outbox.put(keys_of(path, body), path, body) }
    begin
      raise Failure, "an earlier call waits" if name && must_wait?(name, path, body)

      answer = answered(path, body, patient: false)
    rescue Refusal => e
      refuse(failure, name, path, body, e)
      return { "outcome" => "refused", "code" => e.message }
    rescue StandardError => e
      warn_of("#{failure}: #{about(body)}", e)
      code = e.message.match?(/\A[a-z]+(_[a-z]+)+\z/) ? e.message : "unreachable"
      return { "outcome" => name ? "waiting" : "lost", "code" => code }
    end
    if path == "/members/register"
      if mismatch?(answer) && name && (moving?(answer) || @outbox.names.size > 1)
        # The user who has the address may be about to give it up.
        log("#{about(body)} waits for an address that another user has")
        return { "outcome" => "waiting", "code" => "local_user_id_mismatch" }
      end
      uid = own_uid(body, answer)
      answer = answer.merge("email" => settled_email(body, answer)) if uid
      answer = { "outcome" => "refused", "code" => "local_user_id_mismatch" } if uid.nil?
    end
    @outbox.drop(name, keys_of(path, body)) if name
    { "outcome" => "done", "code" => nil }.merge(answer)
  end

  # A verdict with what waits in the outbox: a user's other address or end, and the end of a member's sessions.
  def settled(verdict, names)
    return NO_SESSION if @outbox.waiting_in?(names, "sessions #{verdict["svc_uid"]}")
    return verdict unless verdict["sign_in_allowed"]

    user = verdict["membership"]["local_user_id"]
    return verdict if %w[user leave].none? { |kind| @outbox.waiting_in?(names, "#{kind} #{user}") }

    verdict.merge("sign_in_allowed" => false, "reason" => "no_membership", "membership" => nil)
  end

  # True while a call waits that must be sent before: a `leave` of the id, or one about the same entitlement.
  def must_wait?(name, path, body)
    return false unless ["/members/register", GRANT, REVOKE].include?(path)

    @outbox.waiting?(keys_of(path == "/members/register" ? "/members/leave" : path, body).first, name)
  end

  def warnings_of(answer)
    warnings = answer["warnings"]
    (warnings.is_a?(Array) ? warnings : []).map { |each| code_of(each) }
  end

  # The address of a registration; nil if a later one of the user counts.
  def settled_email(body, answer)
    value_of(body, :email) unless warnings_of(answer).include?("registration_outdated")
  end

  # True for an address that another user of the platform has.
  def mismatch?(answer)
    warnings_of(answer).include?("local_user_id_mismatch")
  end

  # True for a known user whose new address another one has: the two may be exchanging theirs.
  def moving?(answer)
    warnings_of(answer).include?("email_taken")
  end

  # True while the other user of an exchange may still change the address.
  def young?(name)
    (Time.now.to_f * 1000).to_i - name[0, 13].to_i < EXCHANGE_MS_MAX
  end

  # The uid of a registered user, with its warnings logged. Nil if the uid is that of another user.
  def own_uid(body, answer)
    codes = warnings_of(answer)
    uid = answer["svc_uid"]
    unless codes.include?("local_user_id_mismatch")
      codes.each { |code| log("#{about(body)} registered with the warning #{code}") }
      return uid
    end

    log("#{about(body)} not registered (local_user_id_mismatch): the address belongs to your user with " \
        "#{shown(uid, "another svc_uid")}. If that user has another address now, register both; " \
        "only if that account is closed, call leave with its id")
    nil
  end

  # The answer of a call that changes something. A member without a link has left already.
  def answered(path, body, patient: true)
    call(path, body, patient: patient).first
  rescue Refusal => e
    return { "left" => false } if path == "/members/leave" && e.message == "member_not_found"
    raise unless path == REVOKE_SESSIONS
    return { "revoked" => 0 } if %w[member_erased member_not_found].include?(e.message)
    raise unless e.message == "email_unverified" && value_of(body, :scope) == "all"

    answered(path, body.transform_keys(&:to_sym).merge(scope: "platform"), patient: patient)
  end

  # JSON object and cookies of an answer. Raises within the time, whatever the server does. The request has a thread of
  # its own, because no timeout of Net::HTTP covers names, headers and body together. After a time-out only patient calls
  # are sent for some seconds: no visitor waits for a service that hangs.
  def call(path, body, headers: { "x-api-key" => @key }, seconds: @timeout, patient: false)
    raise Failure, "no call for some seconds after a time-out" if !patient && monotonic < @paused_until

    text = JSON.generate(body)
    method, place = path.include?(" ") ? path.split : ["POST", path]
    place = place.gsub(/\{(\w+)\}/) { value_of(body, $1.to_sym) }
    thread = Thread.new { exchange(method, place, text, headers, seconds) }
    thread.report_on_exception = false
    begin
      raise Timeout::Error unless thread.join([seconds, 0.001].max)
    rescue Timeout::Error
      thread.kill
      @paused_until = monotonic + PAUSE_S
      raise Failure, "no answer in time"
    end
    begin
      status, received, cookies = thread.value
    rescue Failure
      raise
    rescue StandardError => e
      raise Failure, "unreachable: #{e.class}"
    end
    @paused_until = 0
    answer = parse(received)
    raise Failure, "status #{status} without a JSON object" unless answer.is_a?(Hash)

    if status.between?(200, 299)
      raise Failure, "this is not the members service" unless expected?(path, answer)

      return [answer, cookies]
    end
    code = code_of(answer, "status #{status}")
    final = status.between?(400, 499) && answer.key?("code") && answer["retryable"] != true
    # A key can be replaced, its scopes extended, and an address corrected.
    correctable = status == 401 || %w[insufficient_scope platform_disabled not_found].include?(code)
    raise (final && !correctable ? Refusal : Failure), code
  end

  def exchange(method, path, text, headers, seconds)
    uri = URI.parse(@url + path)
    raise Failure, "MARU_URL is not set to an address" unless uri.is_a?(URI::HTTP) && uri.host

    http = Net::HTTP.new(uri.host, uri.port)
    http.use_ssl = uri.scheme == "https"
    http.max_retries = 0
    http.open_timeout = http.read_timeout = http.write_timeout = [seconds, 0.001].max
    sent = { "content-type" => "application/json", "accept" => "application/json" }
    request = Net::HTTPGenericRequest.new(method, true, true, uri.path, sent)
    headers.each { |name, value| request[name] = value }
    request.body = text
    http.start do
      http.request(request) do |response|
        received = +""
        response.read_body do |part|
          received << part
          raise Failure, "the answer is too long" if received.bytesize > ANSWER_BYTES_MAX
        end
        return [response.code.to_i, received, response.get_fields("set-cookie") || []]
      end
    end
  end

  def parse(received)
    JSON.parse(received)
  rescue JSON::ParserError
    nil
  end

  def expected?(path, answer)
    membership = answer["membership"]
    case path
    when "/members/register", "/auth/sso/issue" then answer["svc_uid"].is_a?(String)
    when "/members/register/batch" then answer["results"].is_a?(Array)
    when "/members/reconcile" then answer["missing"].is_a?(Array)
    when "/members/events" then answer["event_id"].is_a?(String)
    when GRANT then answer["entitlement"].is_a?(Hash)
    when REVOKE then answer["ended"].is_a?(Integer)
    when "/members/leave" then [true, false].include?(answer["left"])
    when REVOKE_SESSIONS then answer["revoked"].is_a?(Integer)
    when "/auth/logout" then [true, false].include?(answer["ok"])
    when "/auth/sso/verify"
      [true, false].include?(answer["active"]) && [true, false].include?(answer["sign_in_allowed"]) &&
        (!answer["sign_in_allowed"] || membership.is_a?(Hash) && membership["local_user_id"].is_a?(String))
    end
  end

  # Session tokens of a Cookie header; other cookies are none of the service's business.
  def tokens(cookie)
    cookie.to_s.scan(/(?:\A|;)\s*svc_sso=(svcs_[a-z2-7]+)(?=;|\s|\z)/).flatten.first(TOKENS_MAX)
  end

  # Hash of an address as the service writes it. An unusual one counts as missing: registering again is harmless.
  def address_hash(email)
    Digest::SHA256.hexdigest(email.strip.downcase(:ascii))
  end

  # A time as the service reads it. One without a zone is refused: the service would ignore it.
  def time_text(value)
    value = Time.at(value.abs >= MILLISECONDS_FROM ? value / 1000.0 : value) if value.is_a?(Numeric)
    value = value.to_time if value.is_a?(DateTime)
    return value.getutc.iso8601(3) if value.respond_to?(:getutc)
    return value if value.is_a?(String) && value.match?(TIME)

    raise Failure, NO_ZONE
  rescue RangeError
    raise Failure, NO_ZONE
  end

  # Decimals as numbers: JSON would write them as text.
  def plain(value)
    case value
    when Hash then value.transform_values { |each| plain(each) }
    when Array then value.map { |each| plain(each) }
    when Integer, Float then value
    when Numeric then value == value.to_i ? value.to_i : value.to_f
    else value
    end
  end

  def require_id(body)
    raise Failure, "the user has no id" if body.fetch(:local_user_id, "-").strip.empty?

    body
  end

  # The key of a call in the outbox, then those of earlier calls that it replaces.
  def keys_of(path, body)
    user, leave = %w[user leave].map { |kind| "#{kind} #{value_of(body, :local_user_id)}" }
    case path
    when "/members/events" then ["event #{value_of(body, :event_id)}"] * 2
    when "/members/leave" then [leave, leave, user]
    when GRANT, REVOKE then [subject_of(body)]
    when REVOKE_SESSIONS then ["sessions #{value_of(body, :svc_uid)}"] * 2
    else [user, user]
    end
  end

  # The user or entitlement whose calls are sent in their order; nil for another call.
  def subject_of(body)
    code = value_of(body, :code)
    code ? "entitlement #{value_of(body, :svc_uid)} #{code}" : value_of(body, :local_user_id)
  end

  def about(body)
    names = { "event" => :event_id, "entitlement" => :code, "user" => :local_user_id, "sessions of" => :svc_uid }
    kind, name = names.find { |_, each| value_of(body, each) }
    "#{kind} #{shown(value_of(body, name), "with an id that is not logged")}"
  end

  # A member of a new call, or of one from the outbox, whose names are text.
  def value_of(body, name)
    body[name] || body[name.to_s]
  end

  # An id for the log. Some platforms use addresses as ids.
  def shown(id, otherwise)
    id.match?(/\A[A-Za-z0-9_.:-]{1,64}\z/) ? id : otherwise
  end

  def now
    Time.now.utc.iso8601(3)
  end

  def monotonic
    Process.clock_gettime(Process::CLOCK_MONOTONIC)
  end

  def code_of(problem, otherwise = "without a code")
    code = problem.is_a?(Hash) ? problem["code"] : nil
    code.is_a?(String) && code.match?(/\A[a-z_]{1,40}\z/) ? code : otherwise
  end

  def guarded(failure)
    yield
  rescue StandardError, SystemStackError => e
    warn_of(failure, e)
    nil
  end

  # Logs a line without an address or a key: messages of other errors may have them.
  def warn_of(what, error)
    own = error.is_a?(Failure) || error.is_a?(Refusal)
    log("#{what} (#{own ? error.message : error.class})")
  end

  def log(text)
    @logger.warn("members: #{text}")
  rescue StandardError
    nil
  end

  # A folder with a file for each undelivered call. It contains addresses: only its owner can read it. A later
  # registration of a user replaces an earlier one, so that an old address never overtakes a new one. A `leave` replaces
  # both, and no registration replaces a `leave`: the id may have been given to another user. Grants and revocations
  # replace nothing, and are sent in their order.
  class Outbox
    NAME = /\A[0-9]{13}-[0-9a-f]{8}-[0-9a-f]{16}\.json\z/

    def initialize(folder)
      @folder = folder
    end

    # The reason that no call can be read, as in a job of another user. Before the first call there is no folder.
    def fault
      return "is not set" if @folder.empty?

      Dir.children(@folder)
      names.first(1).each { |name| File.open(File.join(@folder, name)).close }
      nil
    rescue Errno::ENOENT
      nil
    rescue SystemCallError
      "cannot be read"
    end

    # The oldest first.
    def names
      Dir.children(@folder).grep(NAME).sort
    rescue SystemCallError
      []
    end

    # Writes a file for a call; nil without an outbox. The call has the first of the keys and replaces the others. One that
    # is never sent is written in the folder "refused".
    def put(keys, path, body, where = "")
      return nil if @folder.empty?

      FileUtils.mkdir_p(@folder, mode: 0o700)
      raise Failure, "it is full" if names.size >= OUTBOX_FILES_MAX

      at = Process.clock_gettime(Process::CLOCK_REALTIME, :millisecond)
      digest = digest_of(keys.first)
      name = format("%<at>013d-%<random>s-%<digest>s.json", at: at, random: SecureRandom.hex(4), digest: digest)
      text = JSON.generate({ path: path, body: body })
      draft = File.join(@folder, ".#{name}")
      begin
        File.open(draft, File::WRONLY | File::CREAT | File::EXCL, 0o600) do |file|
          file.write(text)
          file.fsync
        end
        raise Failure, "its folder cannot be written" unless move(".#{name}", where, name)
      rescue SystemCallError, Failure
        remove(".#{name}")
        raise
      end
      drop_earlier(name, keys) if where.empty?
      name
    end

    # True if a call with this key waits that is older than a file.
    def waiting?(key, name)
      waiting_in?(names.select { |other| other < name }, key)
    end

    # True if one of some files is a call with this key.
    def waiting_in?(names, key)
      names.any? { |name| name[-21, 16] == digest_of(key) }
    end

    # The place of a refused call for the log. An earlier one of the same event is removed.
    def kept_refused(name)
      Dir.children(File.join(@folder, "refused")).each do |other|
        remove(File.join("refused", other)) if other != name && other.end_with?(name[-22..])
      end
      ", kept in refused/#{name}"
    end

    # Keeps a file in a folder of its own; false if that fails.
    def set_aside(name, where)
      move(name, where, name)
    end

    # Removes the drafts of processes that were killed. A young one may be in use.
    def drop_drafts
      before = Process.clock_gettime(Process::CLOCK_REALTIME, :millisecond) - DRAFT_AGE_MAX_MS
      Dir.children(@folder).each do |name|
        remove(name) if name.start_with?(".") && name[1..].match?(NAME) && name[1, 13].to_i < before
      end
    rescue SystemCallError
      nil
    end

    # Nil for a file that another process has delivered meanwhile, false for one that is unreadable.
    def read(name)
      entry = JSON.parse(File.read(File.join(@folder, name)))
      entry.is_a?(Hash) && entry["path"].is_a?(String) && entry["body"].is_a?(Hash) && entry
    rescue SystemCallError
      nil
    rescue JSON::ParserError
      false
    end

    def drop(name, keys)
      remove(name)
      drop_earlier(name, keys)
    end

    private

    def move(from, where, name)
      folder = File.join(@folder, where)
      FileUtils.mkdir_p(folder, mode: 0o700)
      File.rename(File.join(@folder, from), File.join(folder, name))
      true
    rescue SystemCallError
      false
    end

    def drop_earlier(name, keys)
      digests = keys.drop(1).map { |key| digest_of(key) }
      names.each { |other| remove(other) if other < name && digests.include?(other[-21, 16]) }
    end

    def digest_of(key)
      Digest::SHA256.hexdigest(key)[0, 16]
    end

    def remove(name)
      File.unlink(File.join(@folder, name))
    rescue SystemCallError
      nil
    end
  end
end
