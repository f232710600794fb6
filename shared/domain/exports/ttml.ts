import { writtenLanguage } from '../transcript/in-script.ts';
import { cleanLine, colourNumber, colourOf, escapeXml } from './format-text.ts';
import { hasSeveralSpeakers } from './export-facts.ts';
import { cueOptions, namings, secondOptions, text, wordOptions, type Exporter } from './exporter.ts';
import { choice } from './options.ts';
import { cuesOf } from './subtitles.ts';
import { subtitleTime } from './subtitle-time.ts';

const options = {
  ...cueOptions,
  speakers: choice([...namings, 'colour'], 'named-change'),
  ...secondOptions,
  ...wordOptions,
};

/** Timed Text, as broadcasters and IMSC players read it. */
export const ttml: Exporter<'ttml', typeof options> = {
  id: 'ttml',
  extension: '.ttml',
  mediaType: 'application/ttml+xml',
  group: 'subtitles',
  options,
  write(transcript, facts, chosen) {
    const isNamed = hasSeveralSpeakers(transcript);
    const hasColours = chosen.speakers === 'colour' && isNamed;
    const places = new Map(transcript.speakers.map(({ id }, place) => [id, place]));
    const agents = isNamed
      ? transcript.speakers.map(
          ({ id }, place) =>
            `      <ttm:agent xml:id="a${String(place + 1)}" type="person"><ttm:name type="full">${escapeXml(cleanLine(facts.speakerName(id)))}</ttm:name></ttm:agent>`,
        )
      : [];
    const styles = hasColours
      ? transcript.speakers.map(
          (speaker, place) =>
            `      <style xml:id="c${String(place + 1)}" style="s" tts:color="${colourOf(colourNumber(speaker, place), 'video')}"/>`,
        )
      : [];
    const cues = cuesOf(transcript, facts, chosen).map(({ startMs, endMs, lines, speakerId }, at) => {
      const place = speakerId === null ? undefined : places.get(speakerId);
      const number = place === undefined ? '' : String(place + 1);
      const style = hasColours && place !== undefined ? ` style="c${number}"` : '';
      const agent = isNamed && place !== undefined ? ` ttm:agent="a${number}"` : '';
      return `      <p xml:id="p${String(at + 1)}" begin="${subtitleTime(startMs, '.')}" end="${subtitleTime(endMs, '.')}"${style}${agent}>${lines.map(escapeXml).join('<br/>')}</p>`;
    });
    return text(
      `${[
        '<?xml version="1.0" encoding="UTF-8"?>',
        `<tt xmlns="http://www.w3.org/ns/ttml" xmlns:ttp="http://www.w3.org/ns/ttml#parameter" xmlns:tts="http://www.w3.org/ns/ttml#styling" xmlns:ttm="http://www.w3.org/ns/ttml#metadata" ttp:timeBase="media" xml:lang="${writtenLanguage(transcript)}">`,
        '  <head>',
        '    <metadata>',
        `      <ttm:title>${escapeXml(cleanLine(facts.title))}</ttm:title>`,
        ...agents,
        '    </metadata>',
        '    <styling>',
        '      <style xml:id="s" tts:color="#ffffff" tts:backgroundColor="#000000c0" tts:textAlign="center" tts:fontFamily="proportionalSansSerif" tts:fontSize="100%"/>',
        ...styles,
        '    </styling>',
        '    <layout>',
        '      <region xml:id="bottom" style="s" tts:origin="10% 70%" tts:extent="80% 22%" tts:displayAlign="after"/>',
        '    </layout>',
        '  </head>',
        '  <body region="bottom">',
        '    <div>',
        ...cues,
        '    </div>',
        '  </body>',
        '</tt>',
      ].join('\n')}\n`,
    );
  },
};
