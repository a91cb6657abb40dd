/** Adds copy buttons to blocks of code. */
offerCopies();

/** Shows the copy buttons of the page and lets them copy. */
export function offerCopies() {
  const status = document.querySelector('[role="status"].spoken');
  for (const button of document.querySelectorAll('button.copy')) {
    if (button instanceof HTMLButtonElement) offerCopy(button, status);
  }
}

/**
 * @param {HTMLButtonElement} button
 * @param {Element | null} status
 */
function offerCopy(button, status) {
  const label = button.textContent;
  button.hidden = false;
  button.addEventListener('click', async () => {
    const code = button.parentElement?.querySelector('code');
    if (!code) return;
    const isCopied = await copyText(code.textContent);
    // Browsers refuse to copy without TLS: the text is selected instead.
    if (!isCopied) getSelection()?.selectAllChildren(code);
    const message = (isCopied ? button.dataset['copied'] : button.dataset['refused']) ?? '';
    button.textContent = message;
    if (status !== null) status.textContent = message;
    setTimeout(() => {
      button.textContent = label;
      if (status !== null) status.textContent = '';
    }, 2_000);
  });
}

/** @param {string} text */
async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
