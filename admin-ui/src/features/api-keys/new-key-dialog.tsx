import { Alert, Button, Stack, Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSession } from '../../api/session-context.tsx';
import { CodeBlock, CopyTextButton } from '../../components/code/code-block.tsx';
import { DialogFooter, openDialog, useDialog } from '../../components/dialogs/dialog-form.tsx';
import { LeaveGuard } from '../../components/dialogs/leave-guard.tsx';
import { download } from '../../components/download.ts';
import { Part } from '../../components/layout/panel.tsx';
import { Small } from '../../components/small.tsx';
import { examplePromptQuery, type KeyRow, type NewKey } from './key-queries.ts';
import { environmentLines, keyExamples } from './key-texts.ts';
import { NewKeyForm } from './new-key-form.tsx';
import { presetOf } from './trust-presets.ts';

/** A new key, shown only once, or what a new trust needs. */
const NewKeyShown = ({ created }: { readonly created: NewKey }) =>
  created.apiKey === undefined ? <TrustShown trust={created.key} /> : <KeyOnce created={created} />;

/** What the callers of a trust need. Nothing of it is secret. */
const TrustShown = ({ trust }: { readonly trust: NewKey['key'] }) => {
  const { config } = useSession();
  const { audience = '', issuer = '' } = trust;
  return (
    <Stack>
      <Text>
        Nothing here is secret: a token of the issuer, for this audience and with these claims, is what admits
        a caller.
      </Text>
      <Part title="The audience">
        <CodeBlock text={audience} label="the audience" />
      </Part>
      <Part title="For the callers">
        <CodeBlock
          text={presetOf(issuer)?.use(audience, config.apiUrl) ?? ''}
          label="the settings of the callers"
        />
      </Part>
      <Done />
    </Stack>
  );
};

/** The key with code that uses it. Asks before the key is lost. */
const KeyOnce = ({ created }: { readonly created: NewKey }) => {
  // Copied or downloaded, so nothing can be lost.
  const [isKept, setIsKept] = useState(false);
  const onKept = () => setIsKept(true);
  const { config } = useSession();
  const { apiKey = '', key } = created;
  const example = useQuery(examplePromptQuery(key.prompts));
  const environment = environmentLines(config.apiUrl, apiKey);
  const examples = keyExamples(config.apiUrl, key.permissions, example.data ?? null);
  return (
    <Stack>
      <Alert color="amber" title="Copy the key now">
        This is the only time that the key of <strong className="cv-break">{key.name}</strong> is shown. Put
        it where the application finds it; nobody can look it up again.
      </Alert>
      {key.replaces && (
        <Text>
          The key that it replaces ({key.replaces}) still works. Once the list of API keys shows that it is no
          longer used, revoke it.
        </Text>
      )}
      <Part title="The key" action={<CopyTextButton text={apiKey} label="the key" onCopy={onKept} />}>
        <CodeBlock text={apiKey} label="the API key" onCopy={onKept} />
      </Part>
      <Part
        title="In the environment"
        action={
          <Button
            variant="default"
            onClick={() => {
              download('cuevault.env', 'text/plain;charset=utf-8', `${environment}\n`);
              onKept();
            }}
          >
            Download as .env
          </Button>
        }
      >
        <CodeBlock text={environment} label="the environment variables" onCopy={onKept} />
      </Part>
      {!example.isPending && (
        <Part title="Try it">
          <Text mb={4}>
            After <code>set -a; . ./cuevault.env; set +a</code> the variables of the downloaded file are set
            in your shell.
          </Text>
          <Tabs defaultValue="curl" keepMounted={false}>
            <Tabs.List mb="xs">
              {examples.map(({ title }) => (
                <Tabs.Tab key={title} value={title}>
                  {title}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            {examples.map(({ title, text }) => (
              <Tabs.Panel key={title} value={title}>
                <CodeBlock text={text} label={title === 'curl' ? 'the curl command' : `the ${title} lines`} />
              </Tabs.Panel>
            ))}
          </Tabs>
        </Part>
      )}
      <Small>
        The key and the environment variables are secret: keep them out of shell histories and chats.
      </Small>
      <Done />
      <LeaveGuard
        when={!isKept}
        title="Have you saved the key?"
        stay="Back to the key"
        leave="I have saved it"
      >
        <Text>It cannot be shown again. Without it, revoke this key and create another one.</Text>
      </LeaveGuard>
    </Stack>
  );
};

const Done = () => (
  <DialogFooter>
    <Button onClick={useDialog().cancel}>Done</Button>
  </DialogFooter>
);

/**
 * Creates a key and shows it once.
 * @param replaces the key that the new one replaces, with the same rules
 */
export const openNewKey = (replaces?: KeyRow): void =>
  openDialog({
    title: replaces ? `Rotate ${replaces.name}` : 'New API key',
    holdsInput: true,
    content: <NewKeyForm replaces={replaces} onCreated={showKey} />,
  });

export const showKey = (created: NewKey): void =>
  openDialog({
    title: created.apiKey === undefined ? 'Your new trust' : 'Your new API key',
    size: 'lg',
    holdsInput: true,
    content: <NewKeyShown created={created} />,
  });
