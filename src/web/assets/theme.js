// Runs before the first paint, so that the page does not flash in the other theme.
const root = document.documentElement;
const chosen = readTheme();
if (chosen === 'light' || chosen === 'dark') root.dataset['theme'] = chosen;

document.addEventListener('DOMContentLoaded', () => {
  const button = document.querySelector('button.theme');
  if (!(button instanceof HTMLButtonElement)) return;
  const show = () => button.setAttribute('aria-pressed', String(isDark()));
  button.addEventListener('click', () => {
    const theme = isDark() ? 'light' : 'dark';
    root.dataset['theme'] = theme;
    storeTheme(theme);
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

/** The stored theme. Disabled storage throws; the theme then lasts for the page. */
function readTheme() {
  try {
    return localStorage.getItem('theme');
  } catch {
    return null;
  }
}

/** @param {string} theme */
function storeTheme(theme) {
  try {
    localStorage.setItem('theme', theme);
  } catch {
    // Storage is disabled.
  }
}
