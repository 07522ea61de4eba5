import { Tabs, type TabsProps } from '@mantine/core';
import type { ReactNode } from 'react';

interface ViewsProps extends Pick<TabsProps, 'value' | 'defaultValue' | 'onChange'> {
  /** Title and content of each by its name, in order. Only the content that is shown is made. */
  of: Readonly<Record<string, readonly [title: string, content: () => ReactNode]>>;
}

/** Contents of which one is shown, each behind a tab. */
export const Views = ({ of, ...tabs }: ViewsProps) => (
  <Tabs {...tabs} keepMounted={false}>
    <Tabs.List mb="sm">
      {Object.entries(of).map(([name, [title]]) => (
        <Tabs.Tab key={name} value={name}>
          {title}
        </Tabs.Tab>
      ))}
    </Tabs.List>
    {Object.entries(of).map(([name, [, content]]) => (
      <Tabs.Panel key={name} value={name}>
        <Content of={content} />
      </Tabs.Panel>
    ))}
  </Tabs>
);

const Content = ({ of: content }: { of: () => ReactNode }) => content();
