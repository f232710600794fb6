const whole = (text: string | null, usual: number, most: number): number =>
  text !== null && /^\d{1,9}$/.test(text) && Number(text) >= 1 ? Math.min(most, Number(text)) : usual;

/** `page` and `limit` of the legacy lists; what is no such number is the usual one. */
export const readLegacyPage = (query: URLSearchParams): { readonly page: number; readonly limit: number } => ({
  page: whole(query.get('page'), 1, 1_000_000),
  limit: whole(query.get('limit'), 10, 100),
});
