import { FolderOpen, Replace, type LucideIcon } from 'lucide-react';
import { useDeferredValue } from 'react';
import { isTextName } from '../../../../shared/domain/imports/read-subtitles.ts';
import { lengthClock } from '../../../../shared/domain/time/time-code.ts';
import { useAvailability, useCommandTitle, useKeyFor, useRunCommand } from '../../../lib/commands.tsx';
import { useFormats, useText } from '../../../lib/text.ts';
import { FactList } from '../../../ui/fact-list.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { useDocument, useEditor } from '../editor-context.ts';

/** Where a transcript comes from, and how much it is. */
export function Facts() {
  const t = useText();
  const formats = useFormats();
  const { detail } = useEditor();
  const { recordingName, sourceName } = detail;
  const isFromText = isTextName(sourceName);
  const { durationMs, segments } = useDeferredValue(useDocument((state) => state.transcript));
  const madeByWords = ({ origin, model }: NonNullable<typeof detail.madeBy>): string => {
    if (origin === 'service') return t('editor.info.madeAtService');
    return model === null ? t('editor.info.madeHereUnknown') : t('editor.info.madeHere', { model });
  };
  return (
    <FactList
      facts={[
        ...(isFromText ? [{ label: t('editor.info.importedFrom'), value: sourceName }] : []),
        ...(isFromText && recordingName === null
          ? []
          : [
              {
                label: t(isFromText ? 'editor.info.attached' : 'editor.info.file'),
                value: (isFromText ? recordingName : null) ?? sourceName,
                action: (
                  <>
                    <RecordingAction id="transcript.attachRecording" icon={Replace} />
                    <RecordingAction id="transcript.showRecording" icon={FolderOpen} />
                  </>
                ),
              },
            ]),
        ...(detail.madeBy === null
          ? []
          : [
              {
                label: t('editor.info.madeBy'),
                value: `${madeByWords(detail.madeBy)}, ${formats.date(detail.createdAtMs)}`,
              },
            ]),
        { label: t('editor.info.length'), value: lengthClock(durationMs) },
        { label: t('editor.info.segments'), value: formats.number(segments.length) },
        {
          label: t('editor.info.words'),
          value: formats.number(segments.reduce((sum, { words }) => sum + words.length, 0)),
        },
        { label: t('editor.info.doubt'), value: t('editor.info.notProvided') },
      ]}
    />
  );
}

/** A command for the recording, as far as there is one on this computer. */
function RecordingAction({
  id,
  icon,
}: {
  readonly id: 'transcript.showRecording' | 'transcript.attachRecording';
  readonly icon: LucideIcon;
}) {
  const run = useRunCommand();
  const titleOf = useCommandTitle();
  const keyFor = useKeyFor();
  if (!useAvailability().ids.includes(id)) return null;
  return <IconButton size="sm" icon={icon} label={titleOf(id)} shortcut={keyFor(id)} onPress={() => run(id)} />;
}
