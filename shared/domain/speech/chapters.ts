import type { SpeechBlock } from './blocks.ts';

const longestHeading = 80;

/** A paragraph of one short line without sentence punctuation, with something below it. */
const isHeading = (blocks: readonly Pick<SpeechBlock, 'text' | 'endsParagraph'>[], at: number): boolean => {
  const block = blocks[at];
  const before = blocks[at - 1];
  return (
    block?.endsParagraph === true &&
    before?.endsParagraph !== false &&
    at < blocks.length - 1 &&
    block.text.length <= longestHeading &&
    !/[.!?…:;,]["'»”)]*$/u.test(block.text.trim())
  );
};

/**
 * The chapter of each block, counted from 0, and the names of the chapters. Text before the first heading is a chapter
 * without a name. Consecutive headings begin one chapter.
 */
export function findChapters(blocks: readonly Pick<SpeechBlock, 'text' | 'endsParagraph'>[]) {
  const titles: string[] = [];
  let wasHeading = false;
  const chapterOf = blocks.map((block, at) => {
    const isNew = isHeading(blocks, at);
    if (isNew && !wasHeading) titles.push(block.text.trim());
    else if (titles.length === 0) titles.push('');
    wasHeading = isNew;
    return titles.length - 1;
  });
  return { chapterOf, titles };
}
