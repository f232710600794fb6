import { clipOptions, toClips } from './clips.ts';
import { cleanLine } from './format-text.ts';
import { text, wordOptions, type Exporter } from './exporter.ts';
import { timecode } from './timecode.ts';

const options = { ...clipOptions, ...wordOptions };

/** An edit decision list (CMX 3600) of the kept parts of the recording. */
export const edl: Exporter<'edl', typeof options> = {
  id: 'edl',
  extension: '.edl',
  mediaType: 'text/plain',
  group: 'editing',
  options,
  write(transcript, facts, chosen) {
    const { rate, clips, offset, mediaName, hasVideo } = toClips(transcript, facts, chosen);
    const channel = hasVideo ? 'AA/V' : 'AA';
    const events = clips.flatMap(({ source, record, length, label, markers }, at) => {
      const times = [source, source + length, offset + record, offset + record + length].map((frame) =>
        timecode(frame, rate),
      );
      return [
        `${String(at + 1).padStart(3, '0')}  AX       ${channel.padEnd(5)} C        ${times.join(' ')}`,
        `* FROM CLIP NAME: ${mediaName}`,
        ...(chosen.clips === 'turns' ? [`* COMMENT: ${label}`] : []),
        ...markers.map(
          ({ at: frame, text: said }) => `* LOC: ${timecode(offset + record + frame - source, rate)} GREEN   ${said}`,
        ),
        '',
      ];
    });
    return text(
      [
        `TITLE: ${cleanLine(facts.title).slice(0, 70)}`,
        `FCM: ${rate.isDrop ? 'DROP FRAME' : 'NON-DROP FRAME'}`,
        '',
        ...events,
      ].join('\n'),
    );
  },
};
