// AWS's client of SQS, which holds the digest of each message against its text.
import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { optionsOf } from './aws.mjs';
import { events } from './events.mjs';

export const sqsCalls = {
  async sink_aws_sqs_mock({ url, credentials: { aws }, sent }) {
    const client = new SQSClient({ ...optionsOf(url, aws), useQueueUrlAsEndpoint: false });
    const QueueUrl = 'https://sqs.eu-west-1.amazonaws.com/111122223333/alderpoint-events';
    const body = events(23);
    const messages = body.map((event, index) => ({
      Id: String(index),
      MessageBody: JSON.stringify(event),
    }));
    const stored = [];
    for (let from = 0; from < messages.length; from += 10) {
      const Entries = messages.slice(from, from + 10);
      const { Successful } = await client.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
      stored.push(...Successful);
    }
    return [
      {
        operation: 'sink_post_events',
        body,
        read: stored.map(({ Id }) => [Id, `witness-${Id}`]),
        sent: sent(),
      },
    ];
  },
};
