// Runs before the first paint, so that the chosen theme does not flash. The button appears only where it works.
const root = document.documentElement;
const chosen = remembered();
if (chosen === 'light' || chosen === 'dark') root.dataset['theme'] = chosen;

document.addEventListener('DOMContentLoaded', () => {
  const button = document.querySelector('button.theme');
  if (!(button instanceof HTMLButtonElement)) return;
  const show = () => button.setAttribute('aria-pressed', String(isDark()));
  button.addEventListener('click', () => {
    const theme = isDark() ? 'light' : 'dark';
    root.dataset['theme'] = theme;
    remember(theme);
    show();
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', show);
  show();
  button.hidden = false;
});

function isDark() {
  const theme = root.dataset['theme'];
  return theme === undefined
    ? matchMedia('(prefers-color-scheme: dark)').matches
    : theme === 'dark';
}

/** Storage that is switched off throws. The choice then lasts for the page. */
function remembered() {
  try {
    return localStorage.getItem('theme');
  } catch {
    return null;
  }
}

/** @param {string} theme */
function remember(theme) {
  try {
    localStorage.setItem('theme', theme);
  } catch {
    // Storage is switched off, as above.
  }
}
