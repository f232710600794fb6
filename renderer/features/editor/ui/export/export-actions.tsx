import { useMutation } from '@tanstack/react-query';
import { Check, CircleAlert, Copy, Download, FolderOpen, History, Replace, RotateCw } from 'lucide-react';
import { useEffect, useEffectEvent, useImperativeHandle, type RefObject } from 'react';
import { exporters } from '../../../../../shared/domain/exports/exporters.ts';
import { isAudioFormat } from '../../../../../shared/domain/exports/formats.ts';
import { safeFileName } from '../../../../../shared/domain/exports/safe-file-name.ts';
import { toFragment, toPlainText } from '../../../../../shared/domain/exports/html.ts';
import { failureOf, valueOrThrow } from '../../../../bridge/request-error.ts';
import { useSettings } from '../../../../bridge/live-state.tsx';
import { useStudio } from '../../../../bridge/studio-context.tsx';
import { useFailureWords } from '../../../../lib/failure-words.ts';
import type { Shortcut } from '../../../../lib/hotkeys.ts';
import { Scope } from '../../../../lib/scope.ts';
import { useFormats, useText } from '../../../../lib/text.ts';
import { Button } from '../../../../ui/button.tsx';
import { IconButton } from '../../../../ui/icon-button.tsx';
import { Menu } from '../../../../ui/menu.tsx';
import { ProgressBar } from '../../../../ui/progress-bar.tsx';
import { useEditor } from '../../editor-context.ts';
import css from './export-dialog.module.css';
import { useAudioExport } from './use-audio-export.ts';
import { isAboutPlace, useExportAgain } from './use-export-again.ts';
import type { ExportChoice } from './use-export-choice.ts';
import { useCheck, useIsEmpty } from './use-check.ts';

const enter: Shortcut = 'Enter';
/** How long the button says that the text is copied. */
const copiedForMs = 3000;
/** Formats with a page layout; they are copied with their formatting. */
const pages: ReadonlySet<string> = new Set(['docx', 'pdf', 'html']);

export function ExportActions({
  choice,
  saver,
  unlessRefused,
  fileName,
  onFileName,
}: {
  readonly choice: ExportChoice;
  /** The file name the user wants, without an extension; null means the title of the transcript. */
  readonly fileName: string | null;
  readonly onFileName: (name: string | null) => void;
  /** Receives the save function, so that Enter works anywhere in the dialog. */
  readonly saver: RefObject<(() => void) | null>;
  readonly unlessRefused: (write: () => void) => void;
}) {
  const t = useText();
  const studio = useStudio();
  const words = useFailureWords();
  const editor = useEditor();
  const { detail } = editor;
  const { format, given, source } = choice;
  const chosen = JSON.stringify(given);
  const isDocument = pages.has(format);
  const request = { transcriptId: detail.id, format, options: { ...given }, source };
  const { exportFolderName, recentExports } = useSettings();
  const again = useExportAgain(editor);
  const audio = useAudioExport();
  const { extension } = exporters[format];
  const ownName = safeFileName(detail.title, '');
  const name = fileName?.trim() ?? '';
  /** Puts the saved file in the place of an earlier one, whose name it did not get. */
  const replace = useMutation({
    mutationFn: (tokens: { readonly revealToken: string; readonly takenToken: string }) =>
      valueOrThrow(studio.request('exports.replace', tokens)),
  });
  const usualPlace = exportFolderName === null ? 'ask' : 'last';
  const save = useMutation({
    mutationFn: async (place: 'ask' | 'last') => {
      replace.reset();
      forgetCopy();
      const wanted = { ...request, place, ...(name === '' ? {} : { name }) };
      const saved = await (isAudioFormat(format)
        ? audio.save(wanted)
        : valueOrThrow(studio.request('exports.save', wanted)));
      // Keep the name chosen in the system dialog for the next file.
      if (place === 'ask' && saved.savedAs?.endsWith(extension) === true) {
        const chosen = saved.savedAs.slice(0, -extension.length);
        onFileName(chosen === ownName ? null : chosen);
      }
      return saved;
    },
  });
  const choose = useMutation({ mutationFn: () => valueOrThrow(studio.request('exports.chooseFolder', {})) });
  const copy = useMutation({
    mutationFn: async () => {
      // Paragraphs are copied with their formatting; every other format is copied as the text of its file.
      const wanted = isDocument && source === 'studio' ? ({ ...request, format: 'docx' } as const) : request;
      const whole = await valueOrThrow(studio.request('exports.render', { ...wanted, part: 'all' }));
      if (whole.kind === 'text') return navigator.clipboard.writeText(whole.text);
      if (whole.kind !== 'outline') return undefined;
      const blob = (type: string, content: string) => new Blob([content], { type });
      return navigator.clipboard.write([
        new ClipboardItem({
          'text/html': blob('text/html', toFragment(whole.outline)),
          'text/plain': blob('text/plain', toPlainText(whole.outline)),
        }),
      ]);
    },
  });
  const { isSuccess: isCopied, reset: forgetCopy } = copy;
  useEffect(() => {
    if (!isCopied) return undefined;
    const scope = new Scope();
    scope.after(copiedForMs, forgetCopy);
    return () => {
      scope.dispose();
    };
  }, [isCopied, forgetCopy]);
  const reveal = useMutation({
    mutationFn: (revealToken: string) => valueOrThrow(studio.request('exports.reveal', { revealToken })),
  });
  // What was written is not what is chosen now. The buttons stay: the press of one may be what settled a typed value.
  const startOver = useEffectEvent(() => {
    audio.cancel();
    for (const { reset } of [save, replace, copy, reveal]) reset();
  });
  useEffect(() => {
    startOver();
  }, [format, chosen, source]);
  const saveTo = (place: 'ask' | 'last') => {
    unlessRefused(() => {
      save.mutate(place);
    });
  };
  // Without a recording there is no audio to export.
  const isSilent = isAudioFormat(format) && detail.mediaUrl === null;
  // The preview says why, and how to attach a recording.
  const hasNothing = useIsEmpty(choice) || isSilent;
  useImperativeHandle(saver, () => () => {
    if (!save.isPending && !hasNothing) saveTo(usualPlace);
  });
  const failed = save.error ?? replace.error ?? reveal.error;
  const failure = failureOf(failed);
  const saved = replace.data ?? save.data;
  const token = saved?.revealToken ?? null;
  const takenToken = saved?.takenToken ?? null;
  return (
    <>
      <div className={css['place']}>
        <IconButton
          size="sm"
          icon={FolderOpen}
          label={t('exports.changeFolder')}
          onPress={() => {
            choose.mutate();
          }}
        />
        {exportFolderName !== null && <span className={css['folder']}>{exportFolderName} /</span>}
        <input
          className={css['name']}
          aria-label={t('exports.fileName')}
          value={fileName ?? ownName}
          maxLength={200}
          spellCheck={false}
          autoComplete="off"
          onChange={({ target }) => {
            onFileName(target.value);
          }}
          onBlur={() => {
            // What a file can't be called is replaced here already, so that the field shows the name of the file.
            const clean = name === '' ? ownName : safeFileName(name, '');
            onFileName(clean === ownName ? null : clean);
          }}
          onKeyDown={({ key, repeat, nativeEvent }) => {
            if (key === 'Enter' && !repeat && !nativeEvent.isComposing) saver.current?.();
          }}
        />
        <span className={css['extension']}>{extension}</span>
        {recentExports.length > 0 && (
          <Menu
            label={t('exports.recent')}
            placement="top end"
            entries={recentExports.map(({ format: made, folderName }, at) => ({
              id: String(at),
              text: t('exports.recentEntry', { format: t(`exports.formats.${made}.name`), folder: folderName }),
              icon: RotateCw,
              onAction: () => {
                again(at);
              },
            }))}
            trigger={<IconButton label={t('exports.recent')} icon={History} size="sm" />}
          />
        )}
      </div>
      <div className={css['result']}>
        {audio.share !== null ? (
          <>
            <ProgressBar
              label={t('exports.audioWriting')}
              progress={{ tag: 'determinate', fraction: audio.share }}
              className={css['progress']}
            />
            <Button size="sm" variant="ghost" onPress={audio.cancel}>
              {t('exports.cancel')}
            </Button>
          </>
        ) : failed !== null ? (
          <>
            <p role="alert" className={css['failed']}>
              <CircleAlert aria-hidden size={14} strokeWidth={1.75} />
              <span>{failure === null ? t('exports.failed') : words(failure).text}</span>
            </p>
            {failure !== null && failed === save.error && isAboutPlace(failure) && (
              <Button
                size="sm"
                variant="ghost"
                icon={FolderOpen}
                onPress={() => {
                  saveTo('ask');
                }}
              >
                {t('exports.otherPlace')}
              </Button>
            )}
          </>
        ) : copy.isError ? (
          <p role="alert" className={css['failed']}>
            <CircleAlert aria-hidden size={14} strokeWidth={1.75} />
            <span>{t('exports.copyFailed')}</span>
          </p>
        ) : typeof saved?.savedAs === 'string' ? (
          <>
            <output className={css['done']}>
              <Check aria-hidden size={14} strokeWidth={1.75} />
              <span>{t('exports.saved', { name: saved.savedAs })}</span>
            </output>
            {token !== null && takenToken !== null && (
              <Button
                size="sm"
                variant="ghost"
                icon={Replace}
                isLoading={replace.isPending}
                onPress={() => {
                  replace.mutate({ revealToken: token, takenToken });
                }}
              >
                {t('exports.replace')}
              </Button>
            )}
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
        ) : (
          source === 'studio' && exporters[format].group === 'subtitles' && <CueCount choice={choice} />
        )}
      </div>
      {!isAudioFormat(format) && (
        <Button
          variant="ghost"
          icon={isCopied ? Check : Copy}
          isLoading={copy.isPending}
          isDisabled={hasNothing}
          onPress={() => {
            unlessRefused(copy.mutate);
          }}
        >
          {t(isCopied ? 'exports.copied' : isDocument && source === 'studio' ? 'exports.copyRich' : 'exports.copy')}
        </Button>
      )}
      <Button
        variant="primary"
        icon={Download}
        shortcut={enter}
        isLoading={save.isPending}
        isDisabled={hasNothing}
        onPress={() => {
          saveTo(usualPlace);
        }}
      >
        {t(exportFolderName === null ? 'exports.saveAs' : 'exports.saveHere', {
          format: extension.slice(1),
        })}
      </Button>
    </>
  );
}

/** The number of captions in the whole file, and how many are faster than the reading-speed limit. */
function CueCount({ choice }: { readonly choice: ExportChoice }) {
  const t = useText();
  const formats = useFormats();
  const check = useCheck(choice);
  if (check === null) return null;
  const written = (count: number) => ({ count, number: formats.number(count) });
  const faster = check.problems.filter(({ kind }) => kind === 'too-fast').length;
  return (
    <output>
      {t('exports.captions', written(check.cueCount))}
      {faster > 0 && `, ${faster === check.cueCount ? t('exports.allFaster') : t('exports.faster', written(faster))}`}
    </output>
  );
}
