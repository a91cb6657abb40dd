/** Offers the values of the field that a condition is written for, and locks the value where none is compared. */
const inputs = document.querySelector('.condition');
const column = inputs?.querySelector('[name="column"]');
const test = inputs?.querySelector('[name="test"]');
const value = inputs?.querySelector('[name="value"]');
const list = inputs?.querySelector('datalist');
if (
  inputs instanceof HTMLElement &&
  column instanceof HTMLSelectElement &&
  test instanceof HTMLSelectElement &&
  value instanceof HTMLInputElement &&
  list instanceof HTMLDataListElement
) {
  const axis = inputs.dataset['axis'] ?? '';
  column.addEventListener('change', () => void offerValues(axis, column, list));
  const lock = () => (value.disabled = test.value === 'empty' || test.value === 'filled');
  test.addEventListener('change', lock);
  lock();
}

/**
 * @param {string} axis
 * @param {HTMLSelectElement} column
 * @param {HTMLDataListElement} list
 */
async function offerValues(axis, column, list) {
  list.replaceChildren();
  const field = column.value;
  if (field === '') return;
  try {
    // A name that is no plain word stands in double quotes.
    const name = `"${field.replaceAll('"', '""')}"`;
    const query = new URLSearchParams({ axis, field: name, limit: '50' });
    const response = await fetch(`/api/data/values?${query}`);
    if (!response.ok) return;
    /** @type {{ items: { value: string | number | null }[] }} */
    const { items } = await response.json();
    if (column.value !== field) return;
    list.append(...items.flatMap(({ value }) => (value === null ? [] : [optionOf(value)])));
  } catch {
    // Values are typed as well.
  }
}

/** @param {string | number} value */
function optionOf(value) {
  const option = document.createElement('option');
  option.value = String(value);
  return option;
}
