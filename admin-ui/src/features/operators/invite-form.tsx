import { Radio, Stack, Text, Textarea } from '@mantine/core';
import type { Role } from '../../../../contract/fields/access.ts';
import { useSession } from '../../api/session-context.tsx';
import { CodeBlock } from '../../components/code/code-block.tsx';
import { counted } from '../../components/count.ts';
import { openDialog } from '../../components/dialogs/dialog.tsx';
import { DialogForm } from '../../components/dialogs/dialog-form.tsx';
import { notifyDone } from '../../components/dialogs/notify.tsx';
import { useFields } from '../../components/dialogs/use-fields.ts';
import { Part } from '../../components/layout/panel.tsx';
import { GroupInput } from './group-input.tsx';
import { type Invitation, inviteOperators } from './operator-queries.ts';
import { usePasswordPlace, WHERE } from './password-place.ts';

type SignIn = NonNullable<Invitation['signIn']>;

const addressesIn = (text: string): string[] => text.split(/[\s,;]+/).filter((address) => address !== '');

const BY_COMPANY = 'Nothing is mailed: tell them to sign in through the company within 14 days.';

const InviteForm = () => {
  const hasCompany = useSession().config.companyClientId !== undefined;
  const form = useFields({
    text: '',
    group: 'viewer' as Role,
    signIn: (hasCompany ? 'company' : 'password') as SignIn,
  });
  const { group, signIn } = form.values;
  const emails = addressesIn(form.values.text);
  const place = usePasswordPlace();
  const next = signIn === 'company' ? BY_COMPANY : place;
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
      <Text c="dimmed">{next}</Text>
    </DialogForm>
  );
};

export const openInvitation = (): void => openDialog({ title: 'Invite operators', content: <InviteForm /> });
