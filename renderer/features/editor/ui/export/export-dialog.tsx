import { useEffect, useRef, useState } from 'react';
import { isShortcut, isTextField } from '../../../../lib/hotkeys.ts';
import { Scope } from '../../../../lib/scope.ts';
import { useText } from '../../../../lib/text.ts';
import { Dialog } from '../../../../ui/dialog.tsx';
import { useEditor, useEditorState } from '../../editor-context.ts';
import { ExportActions } from './export-actions.tsx';
import css from './export-dialog.module.css';
import { ExportForm } from './export-form.tsx';
import { ExportPreview } from './export-preview.tsx';
import { FormatList } from './format-list.tsx';
import { useExportChoice } from './use-export-choice.ts';

/** Offers every export format with its options and a preview of the file. */
export function ExportDialog() {
  const isOpen = useEditorState((state) => state.exportOpenedAt !== null);
  return isOpen ? <OpenExportDialog /> : null;
}

function OpenExportDialog() {
  const { store, detail, view } = useEditor();
  const t = useText();
  const choice = useExportChoice();
  const saver = useRef<(() => void) | null>(null);
  const [fileName, setFileName] = useState<string | null>(null);
  // As in a form, Enter saves, even while a radio button or nothing has the focus. Handled in the capture phase,
  // because the radio buttons stop Enter from bubbling.
  useEffect(() => {
    const scope = new Scope();
    const look = ({ key, repeat, target }: KeyboardEvent) => {
      const isChoice = target instanceof HTMLInputElement && target.type !== 'text';
      const isNothing = target === document.body || (target instanceof HTMLElement && target.role === 'dialog');
      if (key === 'Enter' && !repeat && (isChoice || isNothing)) saver.current?.();
    };
    scope.listen<KeyboardEvent>(window, 'keydown', look, { capture: true });
    return () => {
      scope.dispose();
    };
  }, []);
  const body = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const scope = new Scope();
    // The browser would select labels and buttons too. A field keeps the key; in the preview it means all of it.
    scope.listen<KeyboardEvent>(window, 'keydown', (event) => {
      const { target } = event;
      if (!isShortcut(event, 'Mod+KeyA') || isTextField(target)) return;
      event.preventDefault();
      const selection = document.getSelection();
      const preview = body.current?.querySelector('[data-preview]') ?? null;
      const isInside = [target, selection?.anchorNode ?? null].some(
        (one) => one instanceof Node && preview?.contains(one),
      );
      if (preview !== null && isInside) selection?.selectAllChildren(preview);
    });
    return () => {
      scope.dispose();
    };
  }, []);
  /** Nothing is written with an older value while a typed one is refused: that field gets the focus instead. */
  const unlessRefused = (write: () => void) => {
    const refused = body.current?.querySelector<HTMLElement>('[aria-invalid="true"]') ?? null;
    if (refused === null) {
      write();
      return;
    }
    const section = refused.closest('details');
    if (section !== null) section.open = true;
    refused.focus();
  };
  useEffect(() => {
    if (store.getState().exportOpenedAt === 'captionStyle')
      body.current?.querySelector<HTMLElement>('[data-caption-style] select')?.focus();
  }, [store]);
  return (
    <Dialog
      title={t('exports.title')}
      headerExtra={<span className={css['title']}>{view.showName(detail.title)}</span>}
      closeLabel={t('common.close')}
      width="wide"
      isOpen
      onClose={() => {
        store.closeExport();
      }}
      footer={
        <ExportActions
          choice={choice}
          saver={saver}
          unlessRefused={unlessRefused}
          fileName={fileName}
          onFileName={setFileName}
        />
      }
    >
      <div ref={body} className={css['body']}>
        <FormatList format={choice.format} onChange={choice.chooseFormat} />
        <ExportForm choice={choice} />
        <ExportPreview choice={choice} />
      </div>
    </Dialog>
  );
}
