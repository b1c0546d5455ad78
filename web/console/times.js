/** The server writes UTC; pointing at a time shows the local one. */
export function addLocalTimes() {
  const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' });
  for (const time of document.querySelectorAll('time')) {
    const at = new Date(time.dateTime);
    if (!Number.isNaN(at.getTime())) time.title = `${format.format(at)} (UTC ${time.dateTime})`;
  }
}
