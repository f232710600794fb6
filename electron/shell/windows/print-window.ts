import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import { err, ok } from '../../../shared/result/result.ts';
import type { PdfRenderer } from '../../services/exports/long-writer.ts';
import { createWindow } from './create-window.ts';

/** Prints in an invisible window: no script, no session of the app, closed when the page is printed. */
export const printInWindow: PdfRenderer = async (html) => {
  const path = join(tmpdir(), `ovoz-print-${randomBytes(12).toString('hex')}.html`);
  const window = createWindow({ show: false }, { partition: 'printing', devTools: false, isInert: true });
  try {
    await writeFile(path, html, { mode: 0o600, flag: 'wx' });
    await window.loadFile(path);
    return ok(new Uint8Array(await window.webContents.printToPDF({ preferCSSPageSize: true, printBackground: false })));
  } catch {
    return err(localFailure('E-214', { code: 'print_failed' }));
  } finally {
    window.destroy();
    await rm(path, { force: true }).catch(() => undefined);
  }
};
