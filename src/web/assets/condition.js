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

/** Parameters of the page that select records: values are those of the records that are left. */
const filters = new Set(['q', 'sido', 'sigungu', 'where', 'near', 'radius', 'bbox']);

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
    for (const [filter, text] of new URLSearchParams(location.search))
      if (filters.has(filter) && text !== '') query.set(filter, text);
    const response = await fetch(`/api/data/values?${query}`);
    if (!response.ok) return;
    /** @type {{ items: { value: string | number | null, count: number }[] }} */
    const { items } = await response.json();
    if (column.value !== field) return;
    list.append(
      ...items.flatMap(({ value, count }) => (value === null ? [] : [optionOf(value, count)])),
    );
  } catch {
    // Values are typed as well.
  }
}

/**
 * @param {string | number} value
 * @param {number} count
 */
function optionOf(value, count) {
  const option = document.createElement('option');
  option.value = String(value);
  option.label = `${value} (${count.toLocaleString('en-US')})`;
  return option;
}
