import {
  Alert,
  type AlertProps,
  Button,
  type ButtonProps,
  Checkbox,
  Group,
  Modal,
  type ModalProps,
  Stack,
  Text,
} from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useBlocker } from '@tanstack/react-router';
import {
  type ChangeEvent,
  createContext,
  type FormEvent,
  type ReactNode,
  useContext,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import type { ErrorCode } from '../../../contract/http/errors.ts';
import { isRefusal, messageOf, messageOfChange } from '../api/api-error.ts';
import { guardLeaving, isLeavingFreely } from '../api/leaving.ts';
import { useAction } from '../api/use-action.ts';

export interface Dialog extends Pick<ModalProps, 'size'> {
  readonly title: string;
  /** Whether it has input that is not to be lost: closing asks first, and neither Escape nor a click outside closes it. */
  readonly holdsInput?: boolean;
  readonly content: ReactNode;
}

interface Shown {
  readonly id: number;
  readonly dialog: Dialog;
  readonly opened: boolean;
  /** What gets the focus afterwards, if it is still there. */
  readonly opener: Element | null;
}

let shown: Shown | undefined;
let count = 0;
const listeners = new Set<() => void>();

const show = (next: Shown | undefined): void => {
  shown = next;
  for (const listener of listeners) listener();
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

// The item of a menu is gone by then, but not the button of the menu.
const focusedNow = (): Element | null => {
  const menu = document.activeElement?.closest('[role=menu]')?.getAttribute('aria-labelledby');
  return menu ? document.getElementById(menu) : document.activeElement;
};

/** Opens a dialog, in place of the one that is open. It closes when the operator goes to another screen. */
export const openDialog = (dialog: Dialog): void => {
  count += 1;
  show({ id: count, dialog, opened: true, opener: shown ? shown.opener : focusedNow() });
};

/** Closes a dialog, unless another one has been opened in its place. */
export const closeDialog = (id = shown?.id): void => {
  if (shown?.id === id && shown?.opened) show({ ...shown, opened: false });
};

interface Closing {
  /** Identifies the dialog; absent outside of dialogs. */
  readonly id?: number | undefined;
  readonly close: () => void;
  /** The same, but asks first if there is unsaved input. */
  readonly cancel: () => void;
}

export const DialogContext = createContext<Closing>({ close: () => {}, cancel: () => {} });

/** Closes the dialog around a component. */
export const useDialog = (): Closing => useContext(DialogContext);

/** The dialog that is open or fades out. */
export const useShown = (): Shown | undefined => useSyncExternalStore(subscribe, () => shown);

/** Forgets a dialog that has faded out: what it contained, such as an API key, must not stay in memory. */
export const forgetClosed = (): void => {
  if (shown?.opened === false) show(undefined);
};

const UNDO_MS = 12_000;

/**
 * Shows that something is done. With `undo`, a button reverts it for some seconds; errors are shown, and so is the text
 * that `undo` returns.
 */
export const notifyDone = (
  message: string,
  undo?: (() => Promise<string>) | undefined,
  undoName = 'Undo',
): void => {
  if (undo === undefined) {
    notifications.show({ message, color: 'spruce' });
    return;
  }
  const id = notifications.show({
    message: (
      <Group justify="space-between" wrap="nowrap">
        <span>{message}</span>
        <ActionButton
          size="compact-xs"
          flex="none"
          action={async () => {
            notifications.hide(id);
            notifyDone(await undo());
          }}
        >
          {undoName}
        </ActionButton>
      </Group>
    ),
    color: 'spruce',
    autoClose: UNDO_MS,
  });
};

/** A button that runs an action, and shows its error as a notice. */
export const ActionButton = ({ action, ...button }: ActionButtonProps) => {
  const { mutate, isPending } = useAction(action, (error) => notifyFailure(error, messageOfChange(error)));
  return <Button variant="default" {...button} loading={isPending} onClick={mutate} />;
};

interface ActionButtonProps extends ButtonProps {
  action: () => Promise<unknown>;
  'aria-label'?: string;
}

/** Shows that a part of the request is ignored. */
export const notifyIgnored = (message: string): void => {
  notifications.show({ message, color: 'amber' });
};

/** Shows an error until it is closed. */
export const notifyFailure = (error: unknown, message = messageOf(error)): void => {
  notifications.show({
    title: 'Something went wrong',
    message,
    color: 'brick',
    autoClose: false,
  });
};

interface RefusalProps extends Pick<AlertProps, 'mb'> {
  /** The error of a mutation, or `null`. */
  error: unknown;
  /** Text to add to the message. */
  children?: ReactNode;
}

export const Refusal = ({ error, children, ...rest }: RefusalProps) =>
  error !== null && (
    <Alert color="brick" role="alert" {...rest}>
      {messageOfChange(error)}
      {children}
    </Alert>
  );

/**
 * For the first field of a form that may be loaded after its dialog is open: the dialog focuses what it finds when it opens,
 * the browser what comes later.
 */
export const FIRST_FIELD = { autoFocus: true, 'data-autofocus': true } as const;

interface DialogFormProps {
  /** Text of the button. */
  verb: string;
  /** Color of the button. @default the primary color */
  color?: 'brick' | false | undefined;
  /** What the action would break; makes the button a dangerous one. */
  danger?: string | undefined;
  /** Whether the input can be sent. @default true */
  canSubmit?: boolean;
  /** The refusal that can be overridden: its code, and what is to be confirmed then. */
  override?: { readonly code: ErrorCode; readonly label: string };
  /**
   * Sends the input, then the dialog closes. Errors are shown, and the input stays.
   * @param isConfirmed whether `override` has been confirmed
   */
  action: (isConfirmed: boolean) => Promise<unknown>;
  /** Says that it is done. */
  done?: string;
  /** Text to add to the error message. */
  hint?: (refusal: unknown) => ReactNode;
  children?: ReactNode;
}

/** Whether what is shown is confirmed, and how to confirm it. What is shown later is not: it can name others. */
export const useConfirmation = (shown: string | false) => {
  const [confirmed, setConfirmed] = useState<string | false>(false);
  return [shown !== false && confirmed === shown, (is: boolean) => setConfirmed(is && shown)] as const;
};

/** The form in a dialog: its fields, the error of the service, and two buttons. */
export const DialogForm = (props: DialogFormProps) => {
  const { verb, danger, color = danger && 'brick', canSubmit = true, action, done, hint, children } = props;
  const { override } = props;
  const { close, cancel } = useDialog();
  // The call begins when the refusal is no longer shown.
  const isSentConfirmed = useRef(false);
  const { mutate, isPending, error } = useAction(async () => {
    await action(isSentConfirmed.current);
    if (done) notifyDone(done);
    close();
  });
  const isRefused = override !== undefined && isRefusal(error, override.code);
  const [isConfirmed, setIsConfirmed] = useConfirmation(isRefused && messageOf(error));
  const isReady = canSubmit && (!isRefused || isConfirmed);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isReady || isPending) return;
    isSentConfirmed.current = isConfirmed;
    mutate();
  };
  return (
    <form onSubmit={submit} autoComplete="off">
      <Stack gap="sm">
        {children}
        <DialogFooter
          above={
            <>
              <Refusal error={error}>
                {isRefused && (
                  <Checkbox
                    mt="xs"
                    label={override.label}
                    checked={isConfirmed}
                    onChange={(event) => setIsConfirmed(event.currentTarget.checked)}
                  />
                )}
                {hint?.(error)}
              </Refusal>
              {danger && (
                <Text c="brick" fw={600} ta="right" role="status">
                  {danger}
                </Text>
              )}
            </>
          }
        >
          <Button variant="default" onClick={cancel}>
            Cancel
          </Button>
          <Button type="submit" {...(color && { color })} loading={isPending} disabled={!isReady}>
            {verb}
          </Button>
        </DialogFooter>
      </Stack>
    </form>
  );
};

interface Question extends DialogFormProps {
  readonly title: string;
  readonly text: ReactNode;
}

/** Asks before an action. */
export const confirm = ({ title, text, children, ...form }: Question): void =>
  openDialog({
    title,
    content: (
      <DialogForm {...form}>
        <Text component="div">{text}</Text>
        {children}
      </DialogForm>
    ),
  });

/** The buttons of a dialog, and what is said above them: always visible, however long the dialog is. */
export const DialogFooter = ({ above, children }: { above?: ReactNode; children: ReactNode }) => (
  <Stack className="cv-footer" gap="xs">
    {above}
    <Group justify="flex-end">{children}</Group>
  </Stack>
);

type Texts<Values> = { [Name in keyof Values]: Values[Name] extends string ? Name : never }[keyof Values];

/** The values of a form, and what connects its fields to them. */
export const useFields = <Values extends object>(initial: Values) => {
  const [start] = useState(initial);
  const [values, setValues] = useState(initial);
  const set = (change: Partial<Values>): void => setValues((now) => ({ ...now, ...change }));
  /** For a field whose text is the value. */
  const text = (name: Texts<Values>) => ({
    value: values[name] as string,
    onChange: ({ currentTarget: { value } }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      set({ [name]: value } as Partial<Values>),
  });
  /** For a field that reports its value. */
  const field = <Name extends keyof Values>(name: Name) => ({
    value: values[name],
    onChange: (value: Values[Name]) => set({ [name]: value } as unknown as Partial<Values>),
  });
  const isChanged = (Object.keys(start) as (keyof Values)[]).some((name) => start[name] !== values[name]);
  return { values, set, text, field, isChanged };
};

interface LeaveGuardProps {
  /** Whether there is unsaved input. */
  when: boolean;
  /** Tried first; if it succeeds, the operator is not asked. */
  save?: () => Promise<unknown>;
  title?: string;
  /** Text of the button that does not leave. */
  stay?: string;
  /** Text of the button that leaves. */
  leave?: string;
  /** What would be lost. */
  children?: ReactNode;
}

/** Asks before unsaved input is lost: by navigation, by sign-out, or when the window closes. */
export const LeaveGuard = ({
  when,
  save,
  title = 'Leave without saving?',
  stay = 'Stay',
  leave = 'Leave',
  children = <Text>What you have typed here is not saved anywhere.</Text>,
}: LeaveGuardProps) => {
  const [signOut, setSignOut] = useState<(isLeft: boolean) => void>();
  const mustAsk = async () =>
    when &&
    (save === undefined ||
      save().then(
        () => false,
        () => true,
      ));
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: mustAsk,
    enableBeforeUnload: () => when && !isLeavingFreely(),
    withResolver: true,
  });
  const { id } = useDialog();
  useEffect(() =>
    guardLeaving(async () => {
      if (!(await mustAsk())) return true;
      return new Promise((resolve) => setSignOut(() => resolve));
    }, id),
  );
  const decide = (isLeft: boolean) => {
    signOut?.(isLeft);
    setSignOut(undefined);
    if (isLeft) proceed?.();
    else reset?.();
  };
  return (
    <Modal opened={status === 'blocked' || signOut !== undefined} onClose={() => decide(false)} title={title}>
      {children}
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={() => decide(false)} data-autofocus>
          {stay}
        </Button>
        <Button color="brick" onClick={() => decide(true)}>
          {leave}
        </Button>
      </Group>
    </Modal>
  );
};
