import { X } from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { useText } from '../lib/text.ts';
import { Button } from './button.tsx';
import css from './dialog.module.css';
import { IconButton } from './icon-button.tsx';

const widths = { sm: 420, md: 560, lg: 820, xl: 900, wide: 1080 };

export interface DialogProps {
  readonly title: string;
  readonly closeLabel?: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Never scrolls. `leave` closes the dialog, after the question if it holds work. */
  readonly footer?: ReactNode | ((leave: () => void) => ReactNode);
  readonly headerExtra?: ReactNode;
  readonly width?: keyof typeof widths;
  /** The text takes the focus, so that keys can scroll it: for long text without a control in it. */
  readonly scrollsByKeys?: boolean;
  /** For questions: named as an alert, and a press outside does not close it. */
  readonly isAlert?: boolean;
  readonly holdsWork?: boolean;
}

/** The focus moves in and returns on close; Escape closes. No dialog opens another. */
export function Dialog({ title, isOpen, onClose, footer, width = 'md', isAlert = false, ...props }: DialogProps) {
  const t = useText();
  const [isLeaving, setIsLeaving] = useState(false);
  const leave = () => {
    if (props.holdsWork) setIsLeaving(!isLeaving);
    else onClose();
  };
  const [dialog, setDialog] = useState<HTMLElement | null>(null);
  // A button that goes or is disabled takes the focus along, and then no key reaches the dialog.
  useEffect(() => {
    if (dialog === null || !isOpen) return undefined;
    const observer = new MutationObserver(() => {
      const focused = document.activeElement;
      if (focused === document.body || (dialog.contains(focused) && focused?.matches(':disabled') === true))
        dialog.focus();
    });
    observer.observe(dialog, { subtree: true, childList: true, attributeFilter: ['disabled'] });
    return () => observer.disconnect();
  }, [dialog, isOpen]);
  return (
    <ModalOverlay
      className={css['scrim'] ?? ''}
      isOpen={isOpen}
      isDismissable={!isAlert}
      onOpenChange={(open) => {
        if (!open) leave();
      }}
    >
      <Modal className={css['modal'] ?? ''} style={{ maxInlineSize: widths[width] }}>
        <AriaDialog ref={setDialog} className={css['dialog'] ?? ''} role={isAlert ? 'alertdialog' : 'dialog'}>
          <header className={css['header']} data-dialog-header="">
            <Heading slot="title" level={2} className={css['title'] ?? ''}>
              {title}
            </Heading>
            {props.headerExtra && <div className={css['extra']}>{props.headerExtra}</div>}
            {!isAlert && <IconButton label={props.closeLabel ?? t('common.close')} icon={X} onPress={leave} />}
          </header>
          <div
            className={css['body']}
            {...(props.scrollsByKeys && { tabIndex: 0, role: 'region', 'aria-label': title })}
          >
            {props.children}
          </div>
          {isLeaving ? (
            <footer className={css['footer']}>
              <p role="alert" className="fill">
                {t('common.leaveForm')}
              </p>
              <Button isAutoFocused onPress={() => setIsLeaving(false)}>
                {t('common.goOnEditing')}
              </Button>
              <Button variant="danger" onPress={onClose}>
                {t('common.discard')}
              </Button>
            </footer>
          ) : (
            footer && <footer className={css['footer']}>{typeof footer === 'function' ? footer(leave) : footer}</footer>
          )}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

export interface QuestionProps extends Pick<DialogProps, 'title' | 'isOpen' | 'onClose'> {
  readonly children?: ReactNode;
  readonly controls?: ReactNode;
  readonly confirm: string;
  readonly cancel?: string;
  readonly isDanger?: boolean;
  /** Enter confirms, as where what is confirmed can be undone. */
  readonly focusesConfirm?: boolean;
  readonly isDisabled?: boolean;
  readonly isLoading?: boolean;
  /** Stays until `isOpen` ends, to show the result. */
  readonly staysOpen?: boolean;
  readonly onConfirm: () => void;
}

/** The safe answer has the focus, unless `focusesConfirm`. */
export function Question({ title, isOpen, onClose, children, controls, confirm, ...props }: QuestionProps) {
  const t = useText();
  const { cancel = t('common.cancel'), isDanger, focusesConfirm = false, staysOpen, onConfirm, ...button } = props;
  return (
    <Dialog
      isAlert
      width="sm"
      title={title}
      isOpen={isOpen}
      onClose={onClose}
      footer={
        <>
          <Button isAutoFocused={!focusesConfirm} onPress={onClose}>
            {cancel}
          </Button>
          <Button
            {...button}
            variant={isDanger ? 'danger' : 'primary'}
            isAutoFocused={focusesConfirm}
            onPress={() => {
              if (!staysOpen) onClose();
              onConfirm();
            }}
          >
            {confirm}
          </Button>
        </>
      }
    >
      {children !== undefined && <p>{children}</p>}
      {controls}
    </Dialog>
  );
}
