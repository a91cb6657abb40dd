// Runs the hooks for the tests as driver.py does.
package main

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"driver/maru"
)

var client = maru.FromEnvironment()

func main() {
	ms, _ := strconv.Atoi(os.Getenv("TIMEOUT_MS"))
	client.Timeout = time.Duration(ms) * time.Millisecond
	client.Warn = func(line string) { fmt.Fprintln(os.Stderr, line) }
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		words := strings.Split(lines.Text(), "\t")
		fmt.Println(strings.Join(run(words[0], words[1:]), "\t"))
	}
}

func outcome(err error) []string {
	outcome, reason := maru.OutcomeOf(err)
	if reason == "" {
		reason = "-"
	}
	return []string{string(outcome), reason}
}

// dieNow ends the process as kill -9 does, between a callback and what follows it.
func dieNow() {
	if _, isSet := os.LookupEnv("DIE"); isSet {
		self, _ := os.FindProcess(os.Getpid())
		_ = self.Kill()
		select {}
	}
}

func run(call string, given []string) []string {
	ctx := context.Background()
	late := []string{}
	save := func(id, uid, email string) error {
		if strings.HasSuffix(id, "unsaved") {
			return fmt.Errorf("not saved")
		}
		late = append(late, strings.TrimSuffix(id+"="+uid+"="+email, "="))
		dieNow()
		return nil
	}
	undo := func(id, code, email string) error {
		if strings.HasSuffix(id, "unsaved") {
			return fmt.Errorf("not undone")
		}
		late = append(late, id+"!"+code+"!"+email)
		dieNow()
		return nil
	}
	switch call {
	case "register":
		user := maru.Registration{Email: given[0], LocalUserID: given[1]}
		if len(given) > 2 {
			isVerified := given[2] == "true"
			user.EmailVerified = &isVerified
		}
		member, err := client.RegisterUser(ctx, user)
		uid := "-"
		if err == nil {
			uid = member.SvcUID
		}
		return append([]string{uid}, outcome(err)...)
	case "settle":
		at, _ := time.Parse(time.RFC3339, given[2])
		user := maru.Registration{Email: given[0], LocalUserID: given[1], RequestedAt: at}
		if member, err := client.RegisterUser(ctx, user); err == nil && member.Email != "" {
			return []string{member.Email}
		}
		return []string{"-"}
	case "everywhere":
		return []string{fmt.Sprint(client.LogoutEverywhere(ctx, given[0]) == nil)}
	case "cookies":
		cookies, _ := client.SSOCookies(ctx, given[0], given[1])
		return cookies
	case "verify":
		verdict, err := client.Verify(ctx, given[0])
		if err != nil {
			return []string{"-"}
		}
		if verdict.SignInAllowed {
			return append([]string{"yes", verdict.Membership.LocalUserID}, verdict.Entitlements...)
		}
		return []string{"no", verdict.Reason}
	case "logout":
		revoked, cookies, err := client.Logout(ctx, given[0], given[1])
		if err != nil {
			return []string{"-"}
		}
		return append([]string{fmt.Sprint(revoked)}, cookies...)
	case "leave":
		return outcome(client.Leave(ctx, given[0]))
	case "grant":
		times := [2]time.Time{}
		for index, text := range given[2:] {
			times[index], _ = time.Parse(time.RFC3339, text)
		}
		return outcome(client.Grant(ctx, given[0], given[1], times[0], times[1]))
	case "revoke":
		return outcome(client.Revoke(ctx, given[0], given[1]))
	case "grant_to":
		return outcome(client.Grant(ctx, given[0], given[1], time.Time{}, time.Time{}, given[2]))
	case "revoke_from":
		return outcome(client.Revoke(ctx, given[0], given[1], given[2]))
	case "event":
		meta := map[string]any{"amount": 1}
		err := error(nil)
		if len(given) > 3 {
			at, _ := time.Parse(time.RFC3339, given[3])
			err = client.LogEventAt(ctx, given[0], given[1], meta, given[2], at)
		} else {
			err = client.LogEvent(ctx, given[0], given[1], meta, given[2])
		}
		id := given[2]
		if err != nil {
			id = "-"
		}
		return append([]string{id}, outcome(err)...)
	case "webhook":
		headers := http.Header{}
		for index, name := range []string{"id", "timestamp", "signature"} {
			headers.Set("webhook-"+name, given[index])
		}
		return []string{fmt.Sprint(client.VerifyWebhook(headers, []byte(given[3])))}
	case "flush":
		delivered, pending := client.Flush(ctx, save, undo)
		return append([]string{fmt.Sprint(delivered), fmt.Sprint(pending)}, late...)
	default:
		users := []maru.User{}
		for ; len(given) > 0; given = given[3:] {
			at, _ := time.Parse(time.RFC3339, given[2])
			users = append(users, maru.User{Email: given[0], LocalUserID: given[1], Since: at})
		}
		report, _ := client.Reconcile(ctx, users, save)
		counts := fmt.Sprintf("%d/%d/%d/%d", report.Checked, report.Missing, report.Registered, report.Skipped)
		return append([]string{counts}, late...)
	}
}
