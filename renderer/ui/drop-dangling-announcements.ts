/**
 * The primitives announce a waiting button by pointing at it. When its screen is left meanwhile (the first screen opens
 * the studio), the announcement points at nothing for some seconds: a picture without a name to a screen reader.
 */
export function dropDanglingAnnouncements(): void {
  for (const node of document.querySelectorAll('[data-live-announcer] [aria-labelledby]')) {
    const names = (node.getAttribute('aria-labelledby') ?? '').split(' ');
    if (!names.some((id) => document.getElementById(id) !== null)) node.remove();
  }
}
