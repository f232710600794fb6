import { clipOptions, toClips } from './clips.ts';
import { cleanLine, escapeXml } from './format-text.ts';
import { text, wordOptions, type Exporter } from './exporter.ts';
import type { FrameRate } from './timecode.ts';

const options = { ...clipOptions, ...wordOptions };

/** Frames as rational seconds, the unit of this format. */
function seconds(frames: number, { frames: rate, per }: FrameRate): string {
  if (frames === 0) return '0s';
  return (frames * per) % rate === 0 ? `${String((frames * per) / rate)}s` : `${String(frames * per)}/${String(rate)}s`;
}

/** A project for Final Cut Pro, DaVinci Resolve and Premiere (through its translator), with the speech as markers. */
export const fcpxml: Exporter<'fcpxml', typeof options> = {
  id: 'fcpxml',
  extension: '.fcpxml',
  mediaType: 'application/xml',
  group: 'editing',
  options,
  write(transcript, facts, chosen) {
    const { rate, clips, sourceLength, recordLength, offset, mediaName, mediaUrl, hasVideo } = toClips(
      transcript,
      facts,
      chosen,
    );
    const at = (frames: number) => seconds(frames, rate);
    const title = escapeXml(cleanLine(facts.title));
    const video = hasVideo ? ' hasVideo="1" format="r1" videoSources="1"' : '';
    const spine = clips.map(({ source, record, length, label, markers }) => {
      const inside = markers.map(
        (marker) =>
          `\n              <marker start="${at(marker.at)}" duration="${at(1)}" value="${escapeXml(marker.text)}"/>`,
      );
      const open = `            <asset-clip ref="r2" name="${escapeXml(label)}" offset="${at(offset + record)}" start="${at(source)}" duration="${at(length)}" audioRole="dialogue"`;
      return inside.length === 0 ? `${open}/>` : `${open}>${inside.join('')}\n            </asset-clip>`;
    });
    return text(
      `${[
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<!DOCTYPE fcpxml>',
        '<fcpxml version="1.10">',
        '  <resources>',
        `    <format id="r1" frameDuration="${String(rate.per)}/${String(rate.frames)}s" width="1920" height="1080"/>`,
        // Its channels and rate are not known here; programs read them from the recording.
        `    <asset id="r2" name="${escapeXml(mediaName)}" start="0s" duration="${at(sourceLength)}"${video} hasAudio="1" audioSources="1">`,
        `      <media-rep kind="original-media" src="${escapeXml(mediaUrl)}"/>`,
        '    </asset>',
        '  </resources>',
        '  <library>',
        `    <event name="${title}">`,
        `      <project name="${title}">`,
        `        <sequence format="r1" duration="${at(recordLength)}" tcStart="${at(offset)}" tcFormat="${rate.isDrop ? 'DF' : 'NDF'}" audioLayout="stereo" audioRate="48k">`,
        '          <spine>',
        ...spine,
        '          </spine>',
        '        </sequence>',
        '      </project>',
        '    </event>',
        '  </library>',
        '</fcpxml>',
      ].join('\n')}\n`,
    );
  },
};
