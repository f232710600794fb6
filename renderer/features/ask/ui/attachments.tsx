import { AudioLines, CircleAlert, FileText, Image, X } from 'lucide-react';
import { attachedAtMost } from '../../../../shared/domain/assistant/ask-tasks.ts';
import { useStudio } from '../../../bridge/studio-context.tsx';
import type { AttachedFile } from '../../../bridge/types.ts';
import { useFailureText } from '../../../lib/failure-text.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { useTakeRecordings } from '../../../parts/files/use-file-drop.ts';
import { useToast } from '../../../ui/toast.tsx';
import { useDrafts } from '../ask-hooks.ts';
import css from '../ask.module.css';

interface ChosenFile extends AttachedFile {
  readonly token: string;
}

const mostFiles = attachedAtMost.question;
const noFiles: readonly ChosenFile[] = [];

const isRecording = ({ type }: File): boolean => /^(?:audio|video)\//u.test(type);

/** Files are judged by main when they are chosen, and sent with the question. Recordings are to be transcribed. */
export function useAttachments(place: string) {
  const t = useText();
  const formats = useFormats();
  const studio = useStudio();
  const words = useFailureText();
  const showToast = useToast();
  const takeRecordings = useTakeRecordings();
  const [files, setFiles] = useDrafts<readonly ChosenFile[]>(place, noFiles);
  const attach = async (wanted: readonly File[] | null) => {
    const recordings = wanted?.filter(isRecording) ?? [];
    if (recordings.length > 0)
      showToast({
        text: t('ask.isRecording', { name: formats.list(recordings.map(({ name }) => name)) }),
        icon: AudioLines,
        action: { text: t('ask.transcribe'), onPress: () => takeRecordings(recordings) },
      });
    const dropped = wanted?.filter((file) => !isRecording(file)) ?? null;
    if (dropped?.length === 0) return;
    const tokens = dropped && (await Promise.all(dropped.map((file) => studio.fileTokenFor(file))));
    const judged = await studio.request('ask.attach', {
      tokens: tokens?.flatMap((token) => (token.ok ? [token.value] : [])) ?? null,
    });
    if (!judged.ok) {
      showToast({ text: words(judged.error).text, icon: CircleAlert });
      return;
    }
    // One notice for all reasons: of three notices the first would be gone at once.
    const byReason = Map.groupBy(judged.value.refused, ({ failure }) => words(failure).text);
    const reasons = [...byReason].map(([reason, some]) => {
      const name = formats.list(some.map((one) => one.name));
      return `${t('ask.attachFailed', { name })}. ${reason}`;
    });
    if (reasons.length > 0) showToast({ text: reasons.join(' '), icon: CircleAlert });
    const chosen = judged.value.files;
    setFiles((before) => [...before, ...chosen].slice(0, mostFiles));
    if (files.length + chosen.length > mostFiles)
      showToast({ text: t('ask.filesFull', { most: mostFiles }), icon: CircleAlert });
  };
  const remove = (token: string) => setFiles((before) => before.filter((one) => one.token !== token));
  const clear = () => setFiles(() => noFiles);
  return { files, attach, remove, clear, isFull: files.length >= mostFiles };
}

export const readsFiles = (
  model: { readonly seesImages: boolean; readonly readsDocuments: boolean },
  files: readonly AttachedFile[],
): boolean => files.every(({ purpose }) => model.seesImages && (purpose === 'vision' || model.readsDocuments));

interface AttachmentsProps<F extends AttachedFile> {
  readonly files: readonly F[];
  readonly onRemove?: (file: F) => void;
}

export function Attachments<F extends AttachedFile>({ files, onRemove }: AttachmentsProps<F>) {
  const t = useText();
  const formats = useFormats();
  if (files.length === 0) return null;
  return (
    <ul className={css['files']} aria-label={t('ask.attached')}>
      {files.map((file, at) => {
        const Icon = file.purpose === 'document' ? FileText : Image;
        return (
          // oxlint-disable-next-line react/no-array-index-key -- two files may have one name
          <li key={`${file.name} ${String(at)}`} className={css['file']}>
            <Icon aria-hidden size={14} strokeWidth={1.75} />
            <span className="cut" title={file.name}>
              {file.name}
            </span>
            <span className="small muted">{formats.bytes(file.sizeBytes)}</span>
            {onRemove && (
              <IconButton
                size="sm"
                icon={X}
                label={t('ask.removeFile', { name: file.name })}
                onPress={() => onRemove(file)}
              />
            )}
          </li>
        );
      })}
    </ul>
  );
}
