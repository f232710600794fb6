import { strFromU8, unzipSync } from 'fflate';
import { expect, it } from 'vitest';
import { writeDocx } from './write-docx.ts';

it('the properties of a Word document name the app as the one that made and saved it', async () => {
  const bytes = await writeDocx({
    title: 'Suhbat',
    header: [],
    language: 'uz',
    blocks: [],
    hasHeader: false,
    hasColours: false,
  });
  const properties = strFromU8(unzipSync(bytes)['docProps/core.xml'] ?? new Uint8Array());
  expect(properties).toContain('<dc:creator>Ovoz Studio</dc:creator>');
  expect(properties).toContain('<cp:lastModifiedBy>Ovoz Studio</cp:lastModifiedBy>');
});
