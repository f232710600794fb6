import Busboy from '@fastify/busboy';
import type { IncomingMessage } from 'node:http';

const limits = { fields: 20, fieldSize: 16 * 1024, files: 0, parts: 24 };

/** The fields of a form without files; null: not such a form. Never rejects. */
export function readLegacyForm(request: IncomingMessage): Promise<ReadonlyMap<string, string> | null> {
  return new Promise((resolve) => {
    const fields = new Map<string, string>();
    let isWrong = false;
    const type = request.headers['content-type'] ?? '';
    if (!/^multipart\/form-data\s*;/i.test(type)) {
      request.resume();
      return resolve(null);
    }
    try {
      const form = new Busboy({ headers: { ...request.headers, 'content-type': type }, limits });
      form.on('field', (name, value, isNameCut, isValueCut) => {
        isWrong ||= fields.has(name) || isNameCut || isValueCut;
        fields.set(name, value);
      });
      for (const limit of ['filesLimit', 'fieldsLimit', 'partsLimit'] as const) form.on(limit, () => (isWrong = true));
      form.once('finish', () => resolve(isWrong ? null : fields));
      form.once('error', () => resolve(null));
      request.once('close', () => resolve(null));
      request.pipe(form);
    } catch {
      request.resume();
      resolve(null);
    }
  });
}

const whole = (text: string | null, usual: number, most: number): number =>
  text !== null && /^\d{1,9}$/.test(text) && Number(text) >= 1 ? Math.min(most, Number(text)) : usual;

/** `page` and `limit` of the legacy lists; an invalid number counts as the default. */
export const readLegacyPage = (query: URLSearchParams): { readonly page: number; readonly limit: number } => ({
  page: whole(query.get('page'), 1, 1_000_000),
  limit: whole(query.get('limit'), 10, 100),
});
