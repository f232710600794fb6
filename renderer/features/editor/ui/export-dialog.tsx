import { useMutation, useQuery } from '@tanstack/react-query';
import {
  Braces,
  Captions,
  Check,
  CircleAlert,
  Copy,
  Download,
  FileText,
  FolderOpen,
  type LucideIcon,
} from 'lucide-react';
import { useState } from 'react';
import { Label, Radio, RadioGroup } from 'react-aria-components';
import { failureOf, valueOrThrow } from '../../../bridge/ask.ts';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { useFailureWords } from '../../../lib/failure-words.ts';
import type { TranscriptScript } from '../../../../shared/domain/transcript/in-script.ts';
import { useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Spinner } from '../../../ui/spinner.tsx';
import { Switch } from '../../../ui/switch.tsx';
import { useEditor, useEditorState } from '../editor-context.ts';
import { langOf, scriptFor } from '../model/letters.ts';
import { exportQuery } from '../queries.ts';
import css from './export-dialog.module.css';

const groups = [
  { heading: 'subtitles', formats: ['srt', 'vtt'] },
  { heading: 'documents', formats: ['txt'] },
  { heading: 'data', formats: ['json'] },
] as const;
const icons: Readonly<Record<OfferedFormat, LucideIcon>> = {
  srt: Captions,
  vtt: Captions,
  txt: FileText,
  json: Braces,
};
type OfferedFormat = (typeof groups)[number]['formats'][number];
const formats: readonly string[] = groups.flatMap((group) => group.formats);
const isFormat = (value: string): value is OfferedFormat => formats.includes(value);

/** Four formats, what each looks like, and where the file went. */
export function ExportDialog() {
  const { store } = useEditor();
  const t = useText();
  const isOpen = useEditorState((state) => state.isExportOpen);
  const { letters } = useEditor();
  const [format, setFormat] = useState<OfferedFormat>('srt');
  // What is exported looks like what is shown until something else is asked for.
  const [wantsOther, setWantsOther] = useState<boolean | null>(null);
  const isOther = wantsOther ?? letters?.isOther ?? false;
  const script = scriptFor(letters, isOther);
  const close = () => {
    store.openExport(false);
  };
  return (
    <Dialog
      title={t('exports.title')}
      closeLabel={t('common.close')}
      width="lg"
      isOpen={isOpen}
      onClose={close}
      footer={<Actions key={`${format} ${script}`} format={format} script={script} />}
    >
      <div className={css['body']}>
        <div className={css['formats']}>
          <Formats format={format} onChange={setFormat} />
          {letters !== null && (
            <div className={css['letters']}>
              <Switch label={t(`exports.letters.${letters.other}`)} isOn={isOther} onChange={setWantsOther} />
            </div>
          )}
        </div>
        <Preview format={format} script={script} isOther={isOther} />
      </div>
    </Dialog>
  );
}

function Formats({
  format,
  onChange,
}: {
  readonly format: OfferedFormat;
  readonly onChange: (format: OfferedFormat) => void;
}) {
  const t = useText();
  return (
    <RadioGroup
      aria-label={t('exports.format')}
      className={css['groups'] ?? ''}
      value={format}
      onChange={(value) => {
        if (isFormat(value)) onChange(value);
      }}
    >
      {groups.map((group) => (
        <div key={group.heading} className={css['group']}>
          <Label className={css['heading'] ?? ''}>{t(`exports.${group.heading}`)}</Label>
          {group.formats.map((id) => {
            const Icon = icons[id];
            return (
              <Radio key={id} value={id} className={css['format'] ?? ''}>
                <Icon aria-hidden size={16} strokeWidth={1.75} />
                <span className={css['name']}>{t(`exports.formats.${id}.name`)}</span>
                <span className={css['extension']}>.{id}</span>
                <span className={css['use']}>{t(`exports.formats.${id}.use`)}</span>
              </Radio>
            );
          })}
        </div>
      ))}
    </RadioGroup>
  );
}

interface Chosen {
  readonly format: OfferedFormat;
  readonly script: TranscriptScript;
}

function useRendered({ format, script }: Chosen) {
  const { detail } = useEditor();
  return useQuery(exportQuery(useStudio(), detail.id, format, { script }));
}

function Preview({ isOther, ...chosen }: Chosen & { readonly isOther: boolean }) {
  const t = useText();
  const words = useFailureWords();
  const { detail, letters } = useEditor();
  const { data, error } = useRendered(chosen);
  const failure = failureOf(error);
  if (error !== null)
    return <p className={css['waiting']}>{failure === null ? t('exports.failed') : words(failure).text}</p>;
  if (data === undefined) {
    return (
      <output className={css['waiting']}>
        <Spinner /> {t('exports.previewLoading')}
      </output>
    );
  }
  return (
    <section className={css['preview']} aria-label={t('exports.preview')}>
      <pre
        className={chosen.format === 'txt' ? css['prose'] : css['code']}
        lang={langOf(detail.transcript, letters, isOther)}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reachable by the keyboard
        tabIndex={0}
      >
        {data.kind === 'text' && data.text}
      </pre>
      {data.isCut && <p className={css['shortened']}>{t('exports.previewShortened')}</p>}
    </section>
  );
}

function Actions({ format, script }: Chosen) {
  const t = useText();
  const studio = useStudio();
  const words = useFailureWords();
  const { detail } = useEditor();
  const rendered = useRendered({ format, script });
  const save = useMutation({
    mutationFn: () =>
      valueOrThrow(studio.request('exports.save', { transcriptId: detail.id, format, options: { script } })),
  });
  const copy = useMutation({
    mutationFn: async ({ text, isCut }: { readonly text: string; readonly isCut: boolean }) => {
      const whole = isCut
        ? await valueOrThrow(
            studio.request('exports.render', { transcriptId: detail.id, format, options: { script }, part: 'all' }),
          )
        : { text };
      if ('text' in whole) await navigator.clipboard.writeText(whole.text);
    },
  });
  const reveal = useMutation({
    mutationFn: (revealToken: string) => valueOrThrow(studio.request('exports.reveal', { revealToken })),
  });
  const failed = save.error ?? reveal.error;
  const failure = failureOf(failed);
  const token = save.data?.revealToken ?? null;
  return (
    <>
      <div className={css['result']}>
        {failed !== null ? (
          <p role="alert" className={css['failed']}>
            <CircleAlert aria-hidden size={14} strokeWidth={1.75} />
            <span>{failure === null ? t('exports.failed') : words(failure).text}</span>
          </p>
        ) : copy.isError ? (
          <p role="alert" className={css['failed']}>
            <CircleAlert aria-hidden size={14} strokeWidth={1.75} />
            <span>{t('exports.copyFailed')}</span>
          </p>
        ) : typeof save.data?.savedAs === 'string' ? (
          <>
            <output className={css['done']}>
              <Check aria-hidden size={14} strokeWidth={1.75} />
              <span>{t('exports.saved', { name: save.data.savedAs })}</span>
            </output>
            {token !== null && (
              <Button
                size="sm"
                variant="ghost"
                icon={FolderOpen}
                onPress={() => {
                  reveal.mutate(token);
                }}
              >
                {t('exports.show')}
              </Button>
            )}
          </>
        ) : null}
      </div>
      <Button
        variant="ghost"
        icon={copy.isSuccess ? Check : Copy}
        isDisabled={rendered.data === undefined}
        isLoading={copy.isPending}
        onPress={() => {
          if (rendered.data?.kind === 'text') copy.mutate(rendered.data);
        }}
      >
        {t(copy.isSuccess ? 'exports.copied' : 'exports.copy')}
      </Button>
      <Button
        variant="primary"
        icon={Download}
        isLoading={save.isPending}
        onPress={() => {
          save.mutate();
        }}
      >
        {t('exports.saveAs', { format })}
      </Button>
    </>
  );
}
