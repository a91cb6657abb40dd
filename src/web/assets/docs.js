/** Shows the response of a form below it, and samples in one language. Without scripts, a form opens the response as a page. */
for (const form of document.querySelectorAll('form.try')) {
  if (!(form instanceof HTMLFormElement)) continue;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void call(form);
  });
}

// A language that is chosen once is chosen for all samples of the page.
document.addEventListener('change', ({ target }) => {
  if (!(target instanceof HTMLInputElement) || !target.matches('.tabs input')) return;
  for (const input of document.querySelectorAll('.tabs input')) {
    if (input instanceof HTMLInputElement && input.value === target.value) input.checked = true;
  }
});

/**
 * Sends the form's request and shows the response below it.
 * @param {HTMLFormElement} form
 */
async function call(form) {
  const target = targetOf(form);
  const answer = form.querySelector('.answer');
  const line = answer?.querySelector('p');
  const body = answer?.querySelector('code');
  if (!(answer instanceof HTMLElement) || !line || !body) return;
  const started = performance.now();
  try {
    const response = await fetch(target);
    const text = await response.text();
    const took = Math.round(performance.now() - started);
    const size = new TextEncoder().encode(text).length.toLocaleString('en-US');
    line.textContent = `${response.status} · ${took} ms · ${size} B · ${decodeURI(target)}`;
    body.textContent = displayed(text);
  } catch {
    line.textContent = form.dataset['failed'] ?? '';
    body.textContent = '';
  }
  answer.hidden = false;
}

/**
 * The address with the values of the form.
 * @param {HTMLFormElement} form
 */
function targetOf(form) {
  const query = new URLSearchParams();
  for (const [name, value] of new FormData(form)) {
    if (typeof value === 'string' && value.trim() !== '') query.set(name, value);
  }
  const path = new URL(form.action).pathname;
  return query.size === 0 ? path : `${path}?${query}`;
}

/**
 * Indents JSON and leaves everything else as received; cut to a length that a page can show.
 * @param {string} text
 */
function displayed(text) {
  let indented = text;
  try {
    indented = JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    // CSV and lines of JSON stay as received.
  }
  const lengthMax = 20_000;
  return indented.length > lengthMax ? `${indented.slice(0, lengthMax)}\n…` : indented;
}
