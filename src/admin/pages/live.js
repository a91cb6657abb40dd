/**
 * Parts of a page that follow what happens: a `.live` element is fetched again every `data-every` seconds. One with
 * `data-last` is a table that new rows are added to; any other is replaced.
 */
for (const part of document.querySelectorAll('.live')) {
  if (part instanceof HTMLElement) follow(part);
}

/** @param {HTMLElement} part */
function follow(part) {
  const rowsMax = 100;
  const waitMsMax = 60_000;
  // Screen readers hear of news once in a while, not of each.
  const announceEveryMs = 20_000;
  const { pause, continue: resume, following, paused, held, lost, ended, news } = part.dataset;
  const button = /** @type {HTMLButtonElement} */ (part.querySelector('.live-bar button'));
  const state = /** @type {HTMLElement} */ (part.querySelector('.live-state'));
  const status = /** @type {HTMLElement} */ (part.querySelector('[role=status]'));
  const content = /** @type {HTMLElement} */ (part.querySelector('.live-content'));
  let waitMs = everyMs(part);
  let isOver = false;
  let isPaused = false;
  let isFetching = false;
  let unannounced = 0;
  let announcedAt = -announceEveryMs;

  button.hidden = false;
  show(following);
  button.addEventListener('click', () => {
    isPaused = !isPaused;
    button.textContent = (isPaused ? resume : pause) ?? '';
    show(isPaused ? paused : following);
    status.textContent = (isPaused ? paused : following) ?? '';
    if (!isPaused) void refresh();
  });
  schedule();

  function schedule() {
    setTimeout(() => {
      if (isPaused || document.hidden) schedule();
      else void refresh().then(() => isOver || schedule());
    }, waitMs);
  }

  async function refresh() {
    const last = part.dataset['last'];
    // Two answers would add the same rows twice.
    if (isFetching) return;
    if (last === undefined && content.contains(document.activeElement)) return show(held);
    const address = new URL(location.href);
    address.searchParams.set('live', last ?? '0');
    isFetching = true;
    try {
      const response = await fetch(address, { redirect: 'error' });
      if (response.status === 401 || response.status === 403) return stop(ended);
      const text = await response.text();
      const fresh = new DOMParser().parseFromString(text, 'text/html').getElementById(part.id);
      if (!response.ok || fresh === null) throw new Error(`status ${response.status}`);
      if (isPaused) return;
      take(fresh);
      waitMs = everyMs(fresh);
      show(following);
    } catch {
      waitMs = Math.min(waitMs * 2, waitMsMax);
      show(lost);
    } finally {
      isFetching = false;
    }
  }

  /** @param {HTMLElement} fresh */
  function take(fresh) {
    const arrived = fresh.querySelector('.live-content');
    const rows = content.querySelector('tbody');
    const added = Array.from(arrived?.querySelectorAll('tbody tr') ?? []);
    const last = fresh.dataset['last'];
    if (part.dataset['last'] === undefined || rows === null) {
      const opened = Array.from(content.querySelectorAll('details'), ({ open }) => open);
      content.replaceChildren(...(arrived?.childNodes ?? []));
      for (const [at, details] of content.querySelectorAll('details').entries()) {
        details.open = opened[at] ?? false;
      }
    } else {
      for (const row of added) row.classList.add('new');
      // After a full page there may be others that are not on it.
      if (fresh.dataset['full'] === undefined) rows.prepend(...added);
      else rows.replaceChildren(...added);
      for (const row of Array.from(rows.children).slice(rowsMax)) {
        if (!row.contains(document.activeElement)) row.remove();
      }
      announce(added.length);
    }
    if (last !== undefined) part.dataset['last'] = last;
  }

  /** @param {number} count */
  function announce(count) {
    unannounced += count;
    const now = performance.now();
    if (unannounced === 0 || now - announcedAt < announceEveryMs) return;
    status.textContent = (news ?? '').replace('{count}', String(unannounced));
    unannounced = 0;
    announcedAt = now;
  }

  /** @param {string | undefined} reason */
  function stop(reason) {
    isOver = true;
    button.hidden = true;
    show(reason);
    status.textContent = reason ?? '';
  }

  /** @param {string | undefined} text */
  function show(text) {
    state.textContent = text ?? '';
  }
}

/**
 * Time between two refreshes of a part.
 * @param {HTMLElement} part
 */
function everyMs(part) {
  return Number(part.dataset['every']) * 1_000;
}
