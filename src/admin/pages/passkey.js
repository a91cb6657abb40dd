/**
 * Passkeys (WebAuthn): a button `.passkey` sends its form with the response of a passkey in the field `passkey`, or
 * `credential` for a new one. `data-get` is the address of the options, `data-create` the options themselves.
 */
const hasPasskeys = 'parseRequestOptionsFromJSON' in (window.PublicKeyCredential ?? {});

for (const form of document.querySelectorAll('form')) {
  const button = /** @type {HTMLButtonElement | null} */ (form.querySelector('button.passkey'));
  const fault = form.querySelector('.passkey-fault');
  if (button === null || fault === null || !hasPasskeys) continue;
  button.hidden = false;
  fault.textContent = '';
  const passphrase = /** @type {HTMLInputElement | null} */ (
    form.querySelector('[name=current_passphrase]')
  );
  // Before the browser checks the form: a passkey takes the place of the passphrase.
  form.addEventListener('click', ({ target }) => {
    if (passphrase !== null) passphrase.required = target !== button;
  });
  form.addEventListener('submit', (event) => {
    if (event.submitter !== button) return;
    event.preventDefault();
    void send(form, button, fault);
  });
}

/**
 * @param {HTMLFormElement} form
 * @param {HTMLButtonElement} button
 * @param {Element} fault
 */
async function send(form, button, fault) {
  const field = /** @type {HTMLInputElement} */ (form.querySelector('.passkey-response'));
  fault.textContent = '';
  button.disabled = true;
  try {
    field.value = JSON.stringify(await response(button.dataset));
    form.submit();
  } catch (error) {
    const isKnown = error instanceof DOMException && error.name === 'InvalidStateError';
    fault.textContent = button.dataset[isKnown ? 'exists' : 'failed'] ?? '';
    button.disabled = false;
    button.focus();
  }
}

/** @param {DOMStringMap} options */
async function response({ get, create }) {
  if (create !== undefined) {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(JSON.parse(create));
    return navigator.credentials.create({ publicKey });
  }
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    await (await fetch(get ?? '')).json(),
  );
  return navigator.credentials.get({ publicKey });
}
