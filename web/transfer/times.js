/** Writes times in the language of the page and in the time of this device. */
export function writeLocalTimes() {
  const { lang } = document.documentElement;
  const format = new Intl.DateTimeFormat(lang === 'en' ? 'en-GB' : `${lang}-u-nu-latn`, {
    dateStyle: 'long',
    timeStyle: 'short',
  });
  for (const element of document.querySelectorAll('time[datetime]')) {
    const moment = new Date(element.getAttribute('datetime') ?? '');
    if (!Number.isNaN(moment.getTime())) element.textContent = format.format(moment);
  }
}
