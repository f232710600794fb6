import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { isInRole, serveThread } from '../../threads/serve-thread.ts';

/** Passed as `workerData`, so that one bundle can be both the server and its workers. */
export const documentWorkerRole = { role: 'practice-document' } as const;

const request = z.object({ path: z.string(), mostPages: z.number() });
export type DocumentRequest = Readonly<z.output<typeof request>>;

export type DocumentOutcome =
  | { readonly kind: 'read'; readonly pages: number; readonly text: string }
  | { readonly kind: 'too-many-pages' }
  | { readonly kind: 'damaged' };

/** More than any model of practice mode accepts. */
const mostCharacters = 500_000;

/** Opens a PDF and reads its text page by page. Scanned pages have no text. */
async function read(message: unknown, sign: () => void): Promise<DocumentOutcome> {
  const { path, mostPages } = request.parse(message);
  // Loaded with the first PDF: it is larger than the rest of practice mode together.
  const { extractText, getDocumentProxy } = await import('unpdf');
  try {
    const document = await getDocumentProxy(new Uint8Array(await readFile(path)));
    if (document.numPages > mostPages) return { kind: 'too-many-pages' };
    sign();
    const { text: pages } = await extractText(document, { mergePages: false });
    const text = pages
      // A line that ends within a sentence continues on the next one.
      .map((page) =>
        page
          .replaceAll(/(?<![.!?:…])\n/g, ' ')
          .replaceAll(/[ \t]+/g, ' ')
          .trim(),
      )
      .filter((page) => page !== '')
      .join('\n');
    return { kind: 'read', pages: document.numPages, text: text.slice(0, mostCharacters) };
  } catch {
    return { kind: 'damaged' };
  }
}

if (isInRole(documentWorkerRole.role)) serveThread(read);
