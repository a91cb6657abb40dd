/**
 * Completes what is typed in the search box: a combobox with a list of suggestions (ARIA 1.2). Without scripts the box
 * is a plain form.
 */
const box = document.querySelector('.suggesting');
const form = box?.querySelector('form');
const input = form?.querySelector('input[name="q"]');
if (box instanceof HTMLElement && form && input instanceof HTMLInputElement)
  suggest(box, form, input);

/**
 * @typedef {{
 *   kind: string, text: string, query: string, detail: string | null, origin: string | null,
 *   links: { self: string | null },
 * }} Suggestion
 * @param {HTMLElement} box
 * @param {HTMLFormElement} form
 * @param {HTMLInputElement} input
 */
function suggest(box, form, input) {
  const delayMs = 80;
  const { kinds = '{}', sample = '', label = '' } = box.dataset;
  /** @type {Record<string, string>} */
  const nameOfKind = JSON.parse(kinds);
  const list = document.createElement('ul');
  /** @type {Suggestion[]} */
  let items = [];
  let active = -1;
  let timer = 0;
  let request = new AbortController();

  list.id = 'suggestions';
  list.role = 'listbox';
  list.ariaLabel = label;
  list.hidden = true;
  form.after(list);
  // A search box may not be a combobox; its key on a phone stays the same.
  input.type = 'text';
  input.enterKeyHint = 'search';
  input.role = 'combobox';
  input.ariaAutoComplete = 'list';
  input.ariaExpanded = 'false';
  input.setAttribute('aria-controls', list.id);

  input.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(() => void load(), delayMs);
  });
  input.addEventListener('blur', close);
  input.addEventListener('keydown', (event) => {
    // A syllable that is being composed uses the keys itself.
    if (!event.isComposing && onKey(event.key)) event.preventDefault();
  });
  // The focus stays in the box.
  list.addEventListener('pointerdown', (event) => event.preventDefault());
  list.addEventListener('click', (event) => {
    const option = event.target instanceof Element ? event.target.closest('li') : null;
    if (option !== null) choose(Array.from(list.children).indexOf(option));
  });

  async function load() {
    request.abort();
    request = new AbortController();
    const q = input.value.trim();
    if (q === '') {
      close();
      return;
    }
    try {
      const { signal } = request;
      const target = `/api/suggest?${new URLSearchParams({ q, limit: '10' })}`;
      const response = await fetch(target, { signal });
      if (!response.ok) return;
      items = (await response.json()).items;
      if (!signal.aborted && document.activeElement === input) open();
    } catch {
      // The search itself needs no suggestions.
    }
  }

  function open() {
    list.replaceChildren(...items.map(optionOf));
    list.hidden = items.length === 0;
    input.ariaExpanded = String(!list.hidden);
    activate(-1);
  }

  function close() {
    clearTimeout(timer);
    request.abort();
    list.hidden = true;
    input.ariaExpanded = 'false';
    activate(-1);
  }

  /**
   * True if the key was used.
   * @param {string} key
   */
  function onKey(key) {
    if (list.hidden) {
      if (key === 'ArrowDown' && items.length > 0) open();
      return key === 'ArrowDown';
    }
    // The box itself is a stop between the last option and the first.
    const stops = items.length + 1;
    if (key === 'ArrowDown') activate(((active + 2) % stops) - 1);
    else if (key === 'ArrowUp') activate(((active + stops) % stops) - 1);
    else if (key === 'Escape') close();
    else if (key === 'Enter' && active >= 0) choose(active);
    else return false;
    return true;
  }

  /** @param {number} at */
  function activate(at) {
    active = at;
    for (const [place, option] of Array.from(list.children).entries()) {
      option.ariaSelected = String(place === at);
    }
    const option = list.children[at];
    if (option === undefined) {
      input.removeAttribute('aria-activedescendant');
      return;
    }
    input.setAttribute('aria-activedescendant', option.id);
    option.scrollIntoView({ block: 'nearest' });
  }

  /** @param {number} at */
  function choose(at) {
    const item = items[at];
    if (item === undefined) return;
    input.value = item.query;
    close();
    form.requestSubmit();
  }

  /**
   * @param {Suggestion} item
   * @param {number} at
   */
  function optionOf({ kind, text, detail, origin, links }, at) {
    const option = document.createElement('li');
    option.id = `suggestion-${at}`;
    option.role = 'option';
    // A dataset of the portal alone has its address there.
    const isListed = kind === 'dataset' && /^https?:/.test(links.self ?? '');
    const remarks = [nameOfKind[isListed ? 'listed' : kind], detail].filter(Boolean).join(' · ');
    option.append(text, ' ', span('quiet', remarks));
    if (origin === 'sample') option.append(' ', span('badge sample', sample));
    return option;
  }
}

/**
 * @param {string} style
 * @param {string} text
 */
function span(style, text) {
  const element = document.createElement('span');
  element.className = style;
  element.textContent = text;
  return element;
}
