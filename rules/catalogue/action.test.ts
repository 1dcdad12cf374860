import { describe, expect, it, test } from "vitest";
import { actionOf } from "./action.ts";
import { actionIn, call, ecmascript, python } from "./testing.ts";

/** One client: what it is reached by, members of it that write and that read, and whole names that do nothing. */
type Members = readonly [client: string, writes: string, reads?: string, pure?: string];

const PYTHON: readonly Members[] = [
  ["stripe", "Charge.create Refund.create PaymentIntent.confirm PaymentIntent.capture Subscription.modify Subscription.cancel Customer.delete Invoice.pay Transfer.create", "Charge.retrieve Charge.list Balance.retrieve Customer.search Invoice.upcoming Event.list", "stripe.Webhook.construct_event stripe.error.CardError"],
  ["stripe.StripeClient", "refunds.create payment_intents.confirm subscriptions.cancel invoices.finalize_invoice", "charges.retrieve customers.list customers.search"],
  ["braintree.BraintreeGateway", "transaction.sale transaction.refund transaction.submit_for_settlement customer.create", "transaction.find transaction.search"],
  ["slack_sdk.WebClient", "chat_postMessage chat_postEphemeral chat_update chat_delete files_upload_v2 reactions_add conversations_open conversations_invite views_open pins_add", "conversations_history conversations_replies conversations_list conversations_members users_info users_list users_lookupByEmail search_messages auth_test chat_getPermalink reactions_get", "slack_sdk.errors.SlackApiError"],
  ["slack_sdk.WebhookClient", "send"],
  ["twilio.rest.Client", "messages.create calls.create messages.delete verify.v2.services.verifications.create", "messages.list messages.fetch calls.stream", "twilio.base.exceptions.TwilioRestException"],
  ["sendgrid.SendGridAPIClient", "send client.mail.send.post client.marketing.contacts.put", "client.suppression.bounces.get", "sendgrid.helpers.mail.Mail"],
  ["smtplib.SMTP", "sendmail send_message", ""],
  ["resend", "Emails.send Batch.send", "Emails.get Domains.list"],
  ["boto3.client", "put_object delete_object copy_object upload_file upload_fileobj send_message send_message_batch delete_message publish send_email put_item update_item delete_item transact_write_items batch_write_item invoke start_execution put_events run_instances terminate_instances create_stack", "get_object head_object list_objects_v2 list_buckets download_file receive_message get_item query scan batch_get_item describe_instances get_queue_url get_parameter get_secret_value get_caller_identity transact_get_items get_paginator"],
  ["boto3.resource.Table", "put_item update_item delete_item batch_writer.put_item", "get_item query scan"],
  ["boto3.resource.Bucket", "put_object upload_file delete_objects Object.put Object.delete", "download_file Object.get objects.all objects.filter"],
  ["google.cloud.storage.Client", "create_bucket bucket.blob.upload_from_string bucket.blob.upload_from_filename bucket.blob.upload_from_file bucket.blob.delete get_bucket.delete_blob bucket.blob.make_public bucket.copy_blob bucket.rename_blob", "list_blobs list_buckets get_bucket bucket.blob.download_as_text bucket.blob.download_as_bytes bucket.blob.download_to_filename bucket.blob.exists bucket.get_blob bucket.blob.reload"],
  ["google.cloud.pubsub_v1.PublisherClient", "publish create_topic delete_topic", "list_topics get_topic", "google.cloud.pubsub_v1.types.BatchSettings"],
  ["google.cloud.pubsub_v1.SubscriberClient", "create_subscription acknowledge modify_ack_deadline", "subscribe pull get_subscription"],
  ["google.cloud.firestore.Client", "collection.document.set collection.document.update collection.document.delete collection.add collection.document.create batch.commit", "collection.document.get collection.stream collection.where.stream collection.where.get collections get_all"],
  ["google.cloud.bigquery.Client", "load_table_from_dataframe load_table_from_file load_table_from_uri insert_rows insert_rows_json insert_rows_from_dataframe create_table delete_table create_dataset update_table copy_table extract_table", "list_tables list_rows get_table get_dataset", "google.cloud.bigquery.SchemaField google.cloud.bigquery.LoadJobConfig"],
  ["azure.storage.blob.BlobServiceClient", "create_container delete_container get_blob_client.upload_blob get_blob_client.delete_blob get_container_client.upload_blob get_blob_client.start_copy_from_url get_blob_client.set_blob_metadata", "list_containers get_blob_client.download_blob get_container_client.list_blobs get_blob_client.exists get_blob_client.get_blob_properties"],
  ["azure.servicebus.ServiceBusClient", "get_queue_sender.send_messages get_topic_sender.schedule_messages get_queue_receiver.complete_message get_queue_receiver.dead_letter_message", "get_queue_receiver.receive_messages get_queue_receiver.peek_messages", "azure.servicebus.ServiceBusMessage"],
  ["redis.Redis", "set setex hset delete expire incr lpush rpush lpop sadd zadd publish flushall xadd json.set eval getdel pipeline.execute", "get hget hgetall exists keys scan_iter ttl lrange smembers zrange xread mget llen type zscore ping json.get", "redis.exceptions.ConnectionError"],
  ["pymongo.MongoClient", "db.users.insert_one db.users.insert_many db.users.update_one db.users.replace_one db.users.delete_many db.users.find_one_and_update db.users.find_one_and_delete db.users.bulk_write db.users.create_index db.users.drop drop_database", "db.users.find db.users.find_one db.users.count_documents db.users.distinct list_database_names db.users.aggregate db.users.estimated_document_count", "pymongo.ASCENDING"],
  ["asyncpg.connect", "copy_records_to_table", "fetch fetchrow fetchval"],
  ["psycopg.connect", "cursor.copy commit", "cursor.fetchall cursor.fetchone", "psycopg.connect.cursor psycopg.connect.rollback psycopg.connect.close"],
  ["sqlalchemy.orm.Session", "add add_all delete commit merge flush bulk_save_objects bulk_insert_mappings query.filter.delete query.filter.update", "query.all query.filter.first query.filter.count scalars get query.filter_by.one_or_none"],
  ["peewee.Model", "create save delete_instance insert.execute update.where.execute bulk_create get_or_create", "get get_or_none select.where get_by_id"],
  ["supabase.create_client", "table.insert.execute table.update.eq.execute table.upsert.execute table.delete.eq.execute storage.from_.upload", "table.select.eq.execute table.select.execute storage.from_.download storage.from_.list"],
  ["elasticsearch.Elasticsearch", "index bulk update delete delete_by_query update_by_query indices.create indices.delete", "search get count exists msearch mget scroll indices.exists cat.indices info"],
  ["pinecone.Pinecone", "create_index delete_index Index.upsert Index.delete Index.update", "list_indexes describe_index Index.query Index.fetch Index.describe_index_stats"],
  ["qdrant_client.QdrantClient", "upsert delete create_collection delete_collection upload_points set_payload recreate_collection update_vectors", "search query_points scroll retrieve get_collections get_collection count collection_exists recommend"],
  ["chromadb.Client", "get_or_create_collection.add get_or_create_collection.upsert get_or_create_collection.delete create_collection delete_collection get_collection.update get_collection.modify", "get_collection.query get_collection.get list_collections get_collection.count heartbeat get_collection.peek"],
  ["weaviate.connect_to_local", "collections.create collections.delete collections.get.data.insert collections.get.data.insert_many collections.get.data.delete_by_id", "collections.get.query.near_text collections.get.query.hybrid collections.get.query.bm25 collections.get.query.fetch_objects collections.exists collections.list_all collections.get.aggregate.over_all is_ready"],
  ["pymilvus.MilvusClient", "insert upsert delete create_collection drop_collection load_collection", "search query get list_collections describe_collection has_collection"],
  ["neo4j.GraphDatabase.driver", "session.execute_write", "session.execute_read"],
  ["kafka.KafkaProducer", "send", "partitions_for bootstrap_connected", "kafka.errors.KafkaError"],
  ["kafka.KafkaConsumer", "commit", "poll"],
  ["confluent_kafka.Producer", "produce", "poll list_topics"],
  ["aiokafka.AIOKafkaProducer", "send send_and_wait"],
  ["pika.BlockingConnection", "channel.basic_publish channel.basic_ack channel.queue_purge channel.queue_delete", "channel.basic_get channel.basic_consume channel.start_consuming", "pika.BasicProperties"],
  ["celery.Celery", "send_task control.revoke", "AsyncResult.get", "celery.chain"],
  ["rq.Queue", "enqueue enqueue_at enqueue_in empty", "fetch_job count get_jobs"],
  ["github.Github", "get_repo.create_issue get_repo.create_pull get_repo.create_file get_repo.update_file get_repo.get_issue.edit get_repo.get_issue.create_comment get_repo.get_pull.merge get_repo.delete_file", "get_repo get_repo.get_issues get_repo.get_contents get_user search_issues get_repo.get_pulls", "github.GithubException"],
  ["jira.JIRA", "create_issue add_comment transition_issue assign_issue delete_issue add_attachment issue.update create_issue_link", "search_issues issue projects comments transitions myself fields"],
  ["notion_client.Client", "pages.create pages.update blocks.children.append blocks.delete databases.create comments.create", "databases.query pages.retrieve search users.list blocks.children.list", "notion_client.errors.APIResponseError"],
  ["telegram.Bot", "send_message send_photo edit_message_text delete_message send_document set_webhook answer_callback_query pin_chat_message", "get_updates get_me get_chat get_file get_webhook_info", "telegram.Update"],
  ["discord.Client", "get_channel.send fetch_user.send", "fetch_channel fetch_user get_guild", "discord.Embed"],
  ["gspread.service_account", "open.sheet1.update open.sheet1.append_row create open.sheet1.update_cell open.sheet1.clear open.sheet1.batch_update open.add_worksheet open.del_worksheet", "open.sheet1.get_all_records open.sheet1.get_all_values open.sheet1.row_values open.sheet1.find open_by_key open.worksheet"],
  ["kubernetes.client.CoreV1Api", "create_namespaced_pod delete_namespaced_pod patch_namespaced_service replace_namespaced_config_map", "list_namespaced_pod read_namespaced_pod read_namespaced_pod_log", "kubernetes.client.V1Pod"],
  ["hvac.Client", "secrets.kv.v2.create_or_update_secret secrets.kv.v2.delete_metadata_and_all_versions write", "secrets.kv.v2.read_secret_version read is_authenticated"],
  ["django.db.models.Model", "objects.create objects.bulk_create objects.filter.update objects.filter.delete save delete objects.get_or_create objects.update_or_create", "objects.get objects.filter objects.all objects.filter.exists objects.values_list objects.filter.order_by"],
  ["motor.motor_asyncio.AsyncIOMotorClient", "db.c.insert_one db.c.find_one_and_update", "db.c.find.to_list db.c.find_one db.c.count_documents"],
  ["googleapiclient.discovery.build", "files.create.execute events.insert.execute users.messages.send.execute spreadsheets.values.append.execute users.messages.trash.execute permissions.create.execute", "files.list.execute events.list.execute users.messages.get.execute spreadsheets.values.get.execute files.export.execute users.getProfile.execute"],
  ["atlassian.Jira", "issue_create issue_add_comment create_issue issue_transition set_issue_status", "jql issue get_issue issue_get_comments"],
  ["dropbox.Dropbox", "files_upload files_delete_v2 files_move_v2", "files_download files_search_v2"],
  ["tweepy.Client", "create_tweet delete_tweet like retweet", "get_tweet search_recent_tweets get_users_tweets get_me"],
  ["praw.Reddit", "subreddit.submit comment.reply comment.delete", "subreddit.hot subreddit.search"],
  ["aiogram.Bot", "send_message answer_callback_query edit_message_text", "get_me get_updates"],
  ["mem0.Memory", "add update delete delete_all reset", "search get get_all history"],
  ["firebase_admin.firestore.client", "collection.document.set collection.add", "collection.document.get collection.stream"],
  ["firebase_admin.messaging", "send"],
  ["azure.cosmos.CosmosClient", "x.upsert_item x.delete_item x.replace_item", "x.query_items x.read_item x.read_all_items"],
  ["google.cloud.secretmanager.SecretManagerServiceClient", "create_secret add_secret_version", "access_secret_version list_secrets"],
  ["simple_salesforce.Salesforce", "Contact.create Contact.update Contact.delete", "query query_all Contact.get describe"],
  ["pyairtable.Api", "table.create table.batch_create table.delete", "table.all table.get table.first"],
  ["requests", "post put patch delete", "get head options", "requests.Request requests.codes"],
  ["httpx.AsyncClient", "post put patch delete", "get head"],
];

const ECMASCRIPT: readonly Members[] = [
  ["stripe.default", "charges.create refunds.create paymentIntents.create paymentIntents.confirm paymentIntents.capture subscriptions.update subscriptions.cancel customers.del invoices.pay transfers.create checkout.sessions.create", "charges.retrieve charges.list balance.retrieve customers.search invoices.retrieveUpcoming prices.list events.list checkout.sessions.retrieve", "stripe.default.webhooks.constructEvent"],
  ["@slack/web-api.WebClient", "chat.postMessage chat.postEphemeral chat.update chat.delete files.uploadV2 reactions.add conversations.open conversations.invite views.open pins.add", "conversations.history conversations.replies conversations.list users.info users.list users.lookupByEmail search.messages auth.test chat.getPermalink", "@slack/web-api.retryPolicies"],
  ["twilio.default", "messages.create calls.create verify.v2.services.verifications.create", "messages.list messages.fetch", "twilio.validateRequest"],
  ["@sendgrid/mail.default", "send sendMultiple"],
  ["nodemailer.createTransport", "sendMail", "verify"],
  ["resend.Resend", "emails.send batch.send contacts.create", "emails.get domains.list"],
  ["@aws-sdk/client-s3", "PutObjectCommand DeleteObjectCommand DeleteObjectsCommand CopyObjectCommand CreateBucketCommand CompleteMultipartUploadCommand AbortMultipartUploadCommand", "GetObjectCommand HeadObjectCommand ListObjectsV2Command ListBucketsCommand", "@aws-sdk/client-s3.S3ServiceException"],
  ["@aws-sdk/client-dynamodb", "PutItemCommand UpdateItemCommand DeleteItemCommand TransactWriteItemsCommand BatchWriteItemCommand CreateTableCommand", "GetItemCommand QueryCommand ScanCommand BatchGetItemCommand DescribeTableCommand TransactGetItemsCommand"],
  ["@aws-sdk/lib-dynamodb", "PutCommand UpdateCommand DeleteCommand TransactWriteCommand BatchWriteCommand", "GetCommand QueryCommand ScanCommand BatchGetCommand"],
  ["@aws-sdk/client-sqs", "SendMessageCommand SendMessageBatchCommand DeleteMessageCommand CreateQueueCommand PurgeQueueCommand", "ReceiveMessageCommand GetQueueUrlCommand GetQueueAttributesCommand ListQueuesCommand"],
  ["@aws-sdk/client-sns", "PublishCommand PublishBatchCommand CreateTopicCommand SubscribeCommand", "ListTopicsCommand GetTopicAttributesCommand"],
  ["@aws-sdk/client-ses", "SendEmailCommand SendRawEmailCommand SendTemplatedEmailCommand", "GetSendQuotaCommand ListIdentitiesCommand"],
  ["@aws-sdk/client-lambda", "InvokeCommand UpdateFunctionCodeCommand CreateFunctionCommand", "GetFunctionCommand ListFunctionsCommand"],
  ["@google-cloud/storage.Storage", "createBucket bucket.file.save bucket.file.delete bucket.upload bucket.file.makePublic bucket.file.copy bucket.file.createWriteStream bucket.file.move bucket.deleteFiles bucket.file.setMetadata", "getBuckets bucket.getFiles bucket.file.download bucket.file.exists bucket.file.getMetadata bucket.file.createReadStream"],
  ["@google-cloud/pubsub.PubSub", "topic.publishMessage topic.publish createTopic topic.publishJSON", "getTopics getSubscriptions"],
  ["@google-cloud/firestore.Firestore", "collection.doc.set collection.doc.update collection.doc.delete collection.add batch.commit collection.doc.create", "collection.doc.get collection.get collection.where.get listCollections collection.doc.onSnapshot getAll"],
  ["@google-cloud/bigquery.BigQuery", "dataset.table.insert createDataset dataset.createTable dataset.table.load dataset.delete", "getDatasets dataset.table.getRows dataset.getTables"],
  ["@azure/storage-blob.BlobServiceClient", "createContainer getContainerClient.getBlockBlobClient.upload getContainerClient.getBlockBlobClient.uploadData getContainerClient.deleteBlob getContainerClient.getBlockBlobClient.uploadStream", "getContainerClient.listBlobsFlat getContainerClient.getBlobClient.download listContainers getContainerClient.exists"],
  ["@azure/service-bus.ServiceBusClient", "createSender.sendMessages createSender.scheduleMessages createReceiver.completeMessage", "createReceiver.receiveMessages createReceiver.peekMessages"],
  ["@octokit/rest.Octokit", "issues.create issues.createComment issues.update pulls.create pulls.merge repos.createOrUpdateFileContents git.createRef rest.issues.addLabels rest.pulls.requestReviewers repos.deleteFile issues.lock", "issues.get issues.listForRepo pulls.list repos.getContent search.code users.getAuthenticated rest.pulls.listFiles repos.compareCommits rest.repos.get paginate.iterator"],
  ["ioredis.default", "set setex hset del expire incr lpush rpush sadd zadd publish flushall xadd getdel hincrby unlink", "get hget hgetall exists keys scan ttl lrange smembers zrange xread mget llen type"],
  ["redis.createClient", "set hSet del expire incr lPush publish setEx sAdd zAdd flushAll xAdd json.set", "get hGet hGetAll exists keys scanIterator ttl lRange sMembers zRange mGet json.get ft.search"],
  ["mongodb.MongoClient", "db.collection.insertOne db.collection.insertMany db.collection.updateOne db.collection.replaceOne db.collection.deleteMany db.collection.findOneAndUpdate db.collection.findOneAndDelete db.collection.bulkWrite db.collection.createIndex db.collection.drop db.dropDatabase", "db.collection.find.toArray db.collection.findOne db.collection.countDocuments db.collection.distinct db.listCollections db.collection.aggregate db.collection.estimatedDocumentCount", "mongodb.ObjectId"],
  ["mongoose.model", "create insertMany updateOne updateMany deleteOne findByIdAndUpdate findByIdAndDelete findOneAndUpdate bulkWrite findOneAndRemove", "find findOne findById countDocuments exists distinct aggregate find.lean find.sort"],
  ["@prisma/client.PrismaClient", "user.create user.update user.upsert user.delete user.createMany user.updateMany user.deleteMany $executeRaw $executeRawUnsafe", "user.findMany user.findUnique user.findFirst user.findUniqueOrThrow user.count user.aggregate user.groupBy $queryRaw"],
  ["drizzle-orm/node-postgres.drizzle", "insert.values insert.values.returning update.set.where delete.where", "select.from.where select.from query.users.findMany query.users.findFirst $count"],
  ["knex.default", "insert where.update where.del table.insert schema.createTable schema.dropTable where.increment insert.returning where.delete", "select where.first table.select where.count table.where.pluck schema.hasTable"],
  ["typeorm.DataSource", "getRepository.save getRepository.insert getRepository.update getRepository.delete getRepository.softDelete getRepository.remove manager.save getRepository.upsert", "getRepository.find getRepository.findOne getRepository.findOneBy getRepository.count getRepository.createQueryBuilder.getMany getRepository.createQueryBuilder.where.getOne getRepository.existsBy"],
  ["sequelize.Sequelize", "define.create define.update define.destroy define.bulkCreate define.upsert sync define.increment define.findOrCreate", "define.findAll define.findOne define.findByPk define.count define.findAndCountAll define.max"],
  ["sequelize", "", "", "sequelize.DataTypes sequelize.Op"],
  ["@supabase/supabase-js.createClient", "from.insert from.insert.select from.update.eq from.upsert from.delete.eq storage.from.upload storage.from.remove", "from.select from.select.eq.single storage.from.download storage.from.list storage.from.getPublicUrl", "@supabase/supabase-js.AuthError"],
  ["firebase/firestore", "setDoc addDoc updateDoc deleteDoc writeBatch.commit runTransaction", "getDoc getDocs onSnapshot getCountFromServer", "firebase/firestore.serverTimestamp firebase/firestore.query firebase/firestore.where firebase/firestore.orderBy firebase/firestore.limit firebase/firestore.collection firebase/firestore.doc"],
  ["firebase-admin/firestore.getFirestore", "collection.doc.set collection.add collection.doc.delete", "collection.doc.get collection.where.get"],
  ["@elastic/elasticsearch.Client", "index bulk update delete deleteByQuery indices.create", "search get count exists msearch mget indices.exists"],
  ["@pinecone-database/pinecone.Pinecone", "createIndex deleteIndex index.upsert index.namespace.upsert index.deleteMany index.deleteOne index.update", "listIndexes describeIndex index.query index.fetch index.describeIndexStats"],
  ["@qdrant/js-client-rest.QdrantClient", "upsert delete createCollection deleteCollection setPayload", "search query scroll retrieve getCollections getCollection count collectionExists"],
  ["chromadb.ChromaClient", "getOrCreateCollection.add getOrCreateCollection.upsert createCollection deleteCollection getCollection.delete", "getCollection.query getCollection.get listCollections getCollection.count heartbeat"],
  ["weaviate-client.default.connectToLocal", "collections.create collections.delete collections.get.data.insert collections.get.data.insertMany", "collections.get.query.nearText collections.get.query.fetchObjects collections.exists collections.listAll collections.get.query.bm25"],
  ["kafkajs.Kafka", "producer.send producer.sendBatch admin.createTopics admin.deleteTopics consumer.commitOffsets", "admin.listTopics admin.fetchTopicMetadata consumer.run", "kafkajs.logLevel"],
  ["amqplib.connect", "createChannel.publish createChannel.sendToQueue createChannel.ack createChannel.purgeQueue createChannel.deleteQueue", "createChannel.consume createChannel.get createChannel.checkQueue"],
  ["bullmq.Queue", "add addBulk obliterate drain upsertJobScheduler remove", "getJob getJobs getJobCounts count getWaiting", "bullmq.UnrecoverableError"],
  ["@notionhq/client.Client", "pages.create pages.update blocks.children.append blocks.delete databases.create comments.create", "databases.query pages.retrieve search users.list blocks.children.list", "@notionhq/client.isFullPage"],
  ["@linear/sdk.LinearClient", "createIssue updateIssue createComment deleteIssue archiveIssue createIssueLabel", "issues issue teams viewer searchIssues users"],
  ["jira.js#Version3Client", "issues.createIssue issues.editIssue issueComments.addComment issues.doTransition issues.deleteIssue", "issues.getIssue issueSearch.searchForIssuesUsingJql projects.searchProjects"],
  ["discord.js#Client", "channels.cache.get.send users.fetch.send", "channels.fetch users.fetch guilds.fetch", "discord.js#EmbedBuilder"],
  ["telegraf.Telegraf", "telegram.sendMessage telegram.editMessageText telegram.deleteMessage telegram.sendPhoto telegram.setWebhook", "telegram.getMe telegram.getUpdates telegram.getFile telegram.getChat", "telegraf.Markup"],
  ["@kubernetes/client-node.KubeConfig", "makeApiClient.createNamespacedPod makeApiClient.deleteNamespacedPod makeApiClient.patchNamespacedService makeApiClient.replaceNamespacedConfigMap", "makeApiClient.listNamespacedPod makeApiClient.readNamespacedPod makeApiClient.readNamespacedPodLog"],
  ["googleapis.google", "gmail.users.messages.send drive.files.create drive.files.update drive.files.delete calendar.events.insert calendar.events.patch sheets.spreadsheets.values.append sheets.spreadsheets.values.update sheets.spreadsheets.batchUpdate gmail.users.messages.modify gmail.users.messages.trash", "gmail.users.messages.list gmail.users.messages.get drive.files.list drive.files.get drive.files.export calendar.events.list sheets.spreadsheets.values.get sheets.spreadsheets.values.batchGet"],
  ["@upstash/redis.Redis", "set del hset lpush incr expire", "get hget lrange mget"],
  ["@vercel/blob", "put del copy", "list head"],
  ["@hubspot/api-client.Client", "crm.contacts.basicApi.create crm.contacts.basicApi.archive", "crm.contacts.basicApi.getById crm.contacts.searchApi.doSearch crm.contacts.getAll"],
  ["@microsoft/microsoft-graph-client.Client.init", "api.post api.patch api.delete", "api.get api.top.get"],
  ["twitter-api-v2.TwitterApi", "v2.tweet v2.reply v2.like v2.deleteTweet", "v2.search v2.userTimeline v2.me"],
  ["firebase/database", "set push update remove", "get onValue"],
  ["firebase-admin/messaging.getMessaging", "send sendEach"],
  ["@azure/cosmos.CosmosClient", "items.create items.upsert item.delete item.replace", "items.query.fetchAll item.read items.readAll"],
  ["@google-cloud/secret-manager.SecretManagerServiceClient", "createSecret addSecretVersion", "accessSecretVersion listSecrets"],
  ["@google-cloud/datastore.Datastore", "save upsert delete", "get runQuery"],
  ["@temporalio/client.Client", "workflow.start workflow.signalWithStart"],
  ["@trigger.dev/sdk.tasks", "trigger batchTrigger"],
  ["inngest.Inngest", "send"],
  ["mem0ai.MemoryClient", "add update deleteAll", "search get getAll history"],
  ["aws-sdk.S3", "putObject.promise deleteObject upload.promise", "getObject.promise listObjectsV2"],
  ["aws-sdk.DynamoDB.DocumentClient", "put.promise update delete", "get.promise query scan"],
  ["aws-sdk.SQS", "sendMessage deleteMessage", "receiveMessage"],
  ["axios.default", "post put patch delete", "get head options", "axios.isAxiosError"],
  ["got.default", "post put patch delete", "get head", "got.HTTPError"],
];

const words = (line: string | undefined): string[] => (line ?? "").split(" ").filter((word) => word !== "");

describe.each([["python", PYTHON], ["ecmascript", ECMASCRIPT]] as const)("what members do: %s", (language, table) => {
  it.each(table.map((row) => [row[0], row] as const))("%s", (client, [, writes, reads, pure]) => {
    const told = (names: readonly string[]): string[] => names.map((name) => `${name}: ${actionIn(language, `${client}.${name}`)}`);
    expect(told(words(writes))).toEqual(words(writes).map((name) => `${name}: write`));
    expect(told(words(reads))).toEqual(words(reads).map((name) => `${name}: read`));
    expect(words(pure).map((name) => `${name}: ${actionIn(language, name)}`)).toEqual(words(pure).map((name) => `${name}: pure`));
  });
  test("at least 150 members are told apart", () => {
    expect(table.flatMap((row) => row.slice(1).flatMap(words)).length).toBeGreaterThanOrEqual(150);
  });
});

describe("actionOf", () => {
  test("a request is what its verb is", () => {
    expect(actionIn("python", "requests.request", call(["POST", "https://x.example"]))).toBe("write");
    expect(actionIn("python", "requests.request", call(["GET", "https://x.example"]))).toBe("read");
    expect(actionIn("ecmascript", "axios.default.request", call([], { method: "delete" }))).toBe("write");
  });
  test("SQL is what its text is", () => {
    expect(actionIn("python", "psycopg.connect.execute", call(["select 1"]))).toBe("read");
    expect(actionIn("ecmascript", "pg.Pool.query", call(["insert into t values (1)"]))).toBe("write");
  });
  test("a request that is only built does nothing, and what a command gave is data", () => {
    expect(actionIn("python", "googleapiclient.discovery.build.files.create")).toBe("pure");
    expect(actionIn("python", "googleapiclient.discovery.build.users.messages")).toBe("pure");
    expect(actionIn("ecmascript", "@aws-sdk/client-s3.S3Client.send.Body.on")).toBe("pure");
    expect(actionIn("python", "alembic.op.batch_alter_table.f")).toBe("pure");
    expect(actionIn("python", "alembic.op.drop_table")).toBe("write");
  });
  test("what tells nothing is not guessed", () => {
    expect(actionIn("python", "acme_sdk.create")).toBe("unknown");
    expect(actionIn("python", "openai.OpenAI.chat.completions.create")).toBe("unknown");
    expect(actionIn("python", "subprocess.run")).toBe("unknown");
    expect(actionIn("python", "redis.Redis")).toBe("unknown");
    expect(actionIn("python", "os")).toBe("unknown");
  });
  test("additions count", () => {
    expect(actionOf("python", python("acme_sdk.charge"), [{ api: "acme_sdk", capability: "db.write" }])).toBe("write");
    expect(actionOf("ecmascript", ecmascript("@acme/sdk.find"), [{ api: "@acme/sdk.find", capability: "pure" }])).toBe("pure");
  });
});
