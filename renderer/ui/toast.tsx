import { Check, X, type LucideIcon } from 'lucide-react';
import { toast } from 'sonner';
import { useText } from '../lib/text.ts';
import { PressButton } from './press-button.tsx';
import css from './toast.module.css';

interface ToastAction {
  readonly text: string;
  readonly onPress: () => void;
}

export interface ToastContent {
  readonly text: string;
  readonly icon?: LucideIcon;
  readonly action?: ToastAction;
  readonly secondAction?: ToastAction;
  readonly shownForMs?: number;
}

const usuallyMs = 6000;
/** Longer than a success, because there is something to do about it. */
export const failureShownForMs = 20_000;
export const toastsAtMost = 2;
let lastId = 0;

/** A toast that says the same again replaces the first; one without an action is dropped first. */
function showToast({ text, icon: Icon = Check, action, secondAction, shownForMs = usuallyMs }: ToastContent) {
  const shown = toast.getToasts().flatMap((one) => ('title' in one ? [one] : []));
  const same = shown.find(({ title, cancel }) => title === text && cancel === undefined && action === undefined);
  const extra =
    shown.length < toastsAtMost ? undefined : (shown.find(({ cancel }) => cancel === undefined) ?? shown[0]);
  const leaving = same ?? extra;
  if (leaving !== undefined) toast.dismiss(leaving.id);
  lastId += 1;
  const id = lastId;
  const offers = [action, secondAction].flatMap((one) => one ?? []);
  toast(text, {
    id,
    duration: shownForMs,
    icon: <Icon aria-hidden size={16} strokeWidth={1.75} />,
    ...(offers.length > 0 && {
      cancel: (
        <>
          {offers.map((one) => (
            <Offer key={one.text} {...one} id={id} />
          ))}
        </>
      ),
    }),
    action: <Close id={id} />,
  });
  return () => void toast.dismiss(id);
}

/** The result removes it early. Never the only place for an error. */
export const useToast = () => showToast;

/** `cameFrom` gets the focus back from a toast that is closed. */
export const toastFocus: { cameFrom: EventTarget | null } = { cameFrom: null };

function close(id: number): void {
  toast.dismiss(id);
  const isWithin = document.activeElement?.closest('[data-pane="notices"]') != null;
  if (isWithin && toastFocus.cameFrom instanceof HTMLElement) toastFocus.cameFrom.focus({ preventScroll: true });
}

function Offer({ id, text, onPress }: ToastAction & { readonly id: number }) {
  const press = () => {
    onPress();
    close(id);
  };
  return (
    <PressButton className={css['action']} onPress={press}>
      {text}
    </PressButton>
  );
}

function Close({ id }: { readonly id: number }) {
  return (
    <PressButton className={css['action']} label={useText()('common.close')} onPress={() => close(id)}>
      <X aria-hidden size={14} strokeWidth={1.75} />
    </PressButton>
  );
}
