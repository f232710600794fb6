import { expect, it } from 'vitest';
import { textOfMarkdown, textOfSubtitles, textOfWordXml, tidyText } from './import-text.ts';

it('a Markdown file is read without its markup', () => {
  const markdown =
    '---\ntitle: x\n---\n# Birinchi zal\n\nBu *qadimiy* [mato](https://a.uz), **ipak**\nva paxta.\n\n- bir\n- ikki\n';
  expect(textOfMarkdown(markdown)).toBe('Birinchi zal\n\nBu qadimiy mato, ipak va paxta.\n\nbir\n\nikki');
});

it('snake_case names and multiplication stay as they are', () => {
  expect(textOfMarkdown('my_file_name va 2 * 3 * 4')).toBe('my_file_name va 2 * 3 * 4');
});

it('subtitles give their words, and a sentence across two cues is one', () => {
  const srt =
    '1\n00:00:01,000 --> 00:00:02,000\n<i>Salom,</i>\n\n2\n00:00:02,500 --> 00:00:03,000\ndoʻstlar.\n\n3\n00:00:04,000 --> 00:00:05,000\n2026\nyil keldi.\n';
  expect(textOfSubtitles(srt)).toBe('Salom, doʻstlar.\n2026 yil keldi.');
});

it('a Word document gives its paragraphs, without deleted text', () => {
  const xml =
    '<w:document><w:body><w:p><w:r><w:t>Bir</w:t></w:r><w:r><w:t xml:space="preserve"> &amp; ikki</w:t></w:r></w:p><w:p><w:del w:id="1"><w:r><w:delText>yoʻq</w:delText></w:r></w:del><w:r><w:t>Uch&#8217;</w:t><w:br/><w:t>toʻrt</w:t></w:r></w:p></w:body></w:document>';
  expect(textOfWordXml(xml)).toBe('Bir & ikki\nUch’\ntoʻrt');
});

it('pasted text loses soft hyphens, unusual spaces and repeated empty lines', () => {
  expect(tidyText('Bu\u00ad \t matn\r\n\r\n\r\n\r\nyangi ')).toBe('Bu matn\n\nyangi');
});
