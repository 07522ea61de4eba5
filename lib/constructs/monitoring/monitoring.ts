import type * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { type CfnElement, NestedStack, Stack } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import type { StackSettings } from '../../settings.ts';
import type { Operation } from '../functions/operation.ts';
import { globalName } from '../shared.ts';
import { Alarms, type AlarmsProps } from './alarms.ts';
import { Dashboard } from './dashboard.ts';
import { Protections, type ProtectionsProps } from './protections.ts';
import { newTopics } from './topics.ts';

export interface MonitoringProps
  extends Omit<AlarmsProps, 'stage' | 'small' | 'notices' | 'topics' | 'throttleRate'>,
    Pick<ProtectionsProps, 'keyArns' | 'mappingIds' | 'sealedLog'> {
  readonly settings: Pick<
    StackSettings,
    'stage' | 'alarmEmail' | 'noticeEmail' | 'noticeAlarms' | 'dashboard' | 'small' | 'throttleRate'
  >;
  readonly operations: readonly Operation[];
}

/**
 * Alarms, where they are mailed to, and the dashboard, in a nested stack: they would count against the 500 resources of
 * the stack, and nothing that serves calls depends on them.
 */
export class Monitoring extends NestedStack {
  readonly #alarms: Alarms;

  constructor(scope: Construct, id: string, { settings, ...props }: MonitoringProps) {
    super(scope, id, { description: 'Alarms and the dashboard' });
    (this.nestedStackResource as CfnElement).overrideLogicalId(id);
    const { stage, small, throttleRate } = settings;
    const notices = settings.noticeAlarms && !small;
    const { alarmEmail, noticeEmail = alarmEmail } = settings;
    const topics = newTopics(this, { page: alarmEmail, notice: noticeEmail });
    this.#alarms = new Alarms(this, 'Alarms', { ...props, stage, small, notices, topics, throttleRate });
    new Protections(this, 'Protections', {
      ...props,
      stage,
      topics,
      table: props.table.resource,
      stackName: Stack.of(scope).stackName,
    });
    if (settings.dashboard && !small)
      new Dashboard(this, 'Dashboard', {
        ...props,
        stage,
        name: globalName(scope),
        alarms: [...this.#alarms.byId.values()],
      });
  }

  ofReads(operation: Operation): cloudwatch.IAlarm[] {
    return this.#alarms.ofReads(operation);
  }
}
