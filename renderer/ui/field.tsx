import { CircleAlert, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { FieldError, Group, Input, Label, Text, TextField } from 'react-aria-components';
import css from './field.module.css';

export interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly onBlur?: () => void;
  readonly onEnter?: () => void;
  /** False: Escape means what it means around the field. */
  readonly onEscape?: () => boolean;
  readonly hint?: string;
  readonly error?: string | null;
  readonly placeholder?: string;
  readonly icon?: LucideIcon;
  readonly suffix?: ReactNode;
  readonly isDisabled?: boolean;
  readonly isAutoFocused?: boolean;
  readonly type?: 'text' | 'url' | 'search';
}

export function Field({ isDisabled = false, type = 'text', ...props }: FieldProps) {
  const Icon = props.icon;
  const error = props.error ?? null;
  return (
    <TextField
      className={css['field'] ?? ''}
      value={props.value}
      type={type}
      onChange={props.onChange}
      isDisabled={isDisabled}
      isInvalid={error !== null}
      validationBehavior="aria"
      autoComplete="off"
      spellCheck="false"
      {...(props.onBlur === undefined ? {} : { onBlur: props.onBlur })}
      {...(props.isAutoFocused === undefined ? {} : { autoFocus: props.isAutoFocused })}
      onKeyDown={(event) => {
        if (event.key === 'Enter') props.onEnter?.();
        else if (event.key === 'Escape' && props.onEscape?.() === true) event.preventDefault();
        // Escape closes the surrounding dialog, F6 moves on: keys that the field does not use must propagate.
        else event.continuePropagation();
      }}
    >
      <Label className={css['label'] ?? ''}>{props.label}</Label>
      <Group className={css['box'] ?? ''}>
        {Icon && <Icon aria-hidden size={16} strokeWidth={1.75} />}
        <Input
          className={css['input'] ?? ''}
          onFocus={(event) => {
            if (props.isAutoFocused === true) event.currentTarget.select();
          }}
          {...(props.placeholder === undefined ? {} : { placeholder: props.placeholder })}
        />
        {props.suffix && <span className={css['suffix']}>{props.suffix}</span>}
      </Group>
      {error === null ? (
        props.hint && (
          <Text slot="description" className={css['hint'] ?? ''}>
            {props.hint}
          </Text>
        )
      ) : (
        <FieldError className={css['error'] ?? ''}>
          <CircleAlert aria-hidden size={14} strokeWidth={1.75} />
          <span>{error}</span>
        </FieldError>
      )}
    </TextField>
  );
}
