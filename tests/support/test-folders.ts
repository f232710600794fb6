import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';

function newFolder(atEnd: (remove: () => void) => void): string {
  const folder = mkdtempSync(join(tmpdir(), 'ovoz-test-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A new folder that is removed after the tests of this file. */
export const folderOfFile = (): string => newFolder(afterAll);
/** A new folder that is removed after this test. */
export const folderOfTest = (): string => newFolder(onTestFinished);
