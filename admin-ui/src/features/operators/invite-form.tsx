import { Radio, Stack, Textarea } from '@mantine/core';
import type { Role } from '../../../../contract/fields/access.ts';
import { useSession } from '../../api/session-context.tsx';
import { Muted, Part } from '../../components/basics.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { DialogForm, notifyDone, openDialog, useFields } from '../../components/dialogs.tsx';
import { counted } from '../../components/locale.ts';
import { type Invitation, inviteOperators } from './operator-queries.ts';

export const WHERE = `They sign in at ${location.origin}.`;

/** The sentence that says how an operator can sign in now. */
export const usePasswordPlace = (): string => {
  const { config } = useSession();
  return config.mails
    ? 'The temporary password is mailed, and expires in seven days.'
    : 'Nothing is mailed here, and nobody has a password: continue as them from their menu in this list.';
};

const GROUPS: readonly { readonly value: Role; readonly description: string }[] = [
  { value: 'viewer', description: 'Reads everything except the values of secrets.' },
  { value: 'editor', description: 'Also changes prompts and secrets.' },
  { value: 'admin', description: 'Also manages API keys, the vault and operators.' },
];

export const GroupInput = ({ value, onChange }: { value: Role; onChange: (group: Role) => void }) => (
  <Radio.Group label="Group" value={value} onChange={(group) => onChange(group as Role)}>
    <Stack gap="xs" mt={6}>
      {GROUPS.map((group) => (
        <Radio key={group.value} label={group.value} {...group} />
      ))}
    </Stack>
  </Radio.Group>
);

type SignIn = NonNullable<Invitation['signIn']>;

const InviteForm = () => {
  const hasCompany = useSession().config.companyClientId !== undefined;
  const form = useFields({
    text: '',
    group: 'viewer' as Role,
    signIn: (hasCompany ? 'company' : 'password') as SignIn,
  });
  const { group, signIn } = form.values;
  const emails = form.values.text.split(/[\s,;]+/).filter(Boolean);
  const place = usePasswordPlace();
  const next =
    signIn === 'company'
      ? 'Nothing is mailed: tell them to sign in through the company within 14 days.'
      : place;
  const invite = async () => {
    const { operators, existing } = await inviteOperators({ emails, group, signIn });
    const others = existing.length === 0 ? '' : ` Already operators: ${existing.join(', ')}.`;
    notifyDone(`${counted(operators.length, 'operator')} invited.${others} ${next} ${WHERE}`);
  };
  return (
    <DialogForm
      verb="Invite"
      canSubmit={emails.length > 0 && emails.every((email) => /^\S+@\S+$/.test(email))}
      action={invite}
    >
      <Textarea
        label="E-mail addresses"
        description="One a line."
        autosize
        minRows={2}
        {...form.text('text')}
        data-autofocus
        required
      />
      <GroupInput {...form.field('group')} />
      {hasCompany && (
        <Radio.Group
          label="They sign in"
          value={signIn}
          onChange={(by) => form.set({ signIn: by as SignIn })}
        >
          <Stack gap="xs" mt={6}>
            <Radio value="company" label="through the company" />
            <Radio value="password" label="with a password and a second factor" />
          </Stack>
        </Radio.Group>
      )}
      <Part title="Where they sign in">
        <CodeBlock text={location.origin} label="the address" />
      </Part>
      <Muted>{next}</Muted>
    </DialogForm>
  );
};

export const openInvitation = (): void => openDialog({ title: 'Invite operators', content: <InviteForm /> });
