"""The peers on counted words, or on vectors: labels and the ten words of every topic, one JSON line a fit, added to a file.

peers.py JOB.json, where the job is { counts: { shape, offsets, indices, values }, words, vectors, k, seeds, methods, kept }.
Fits that the file has are not repeated.
"""
import json
import os
import sys
import warnings

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.cluster import KMeans
from sklearn.decomposition import NMF, LatentDirichletAllocation
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer

warnings.filterwarnings("ignore")
TOP = 10

job = json.load(open(sys.argv[1], encoding="utf8"))
counts = job["counts"]
X = csr_matrix((counts["values"], counts["indices"], counts["offsets"]), shape=counts["shape"])
words = np.array(job["words"])
k = job["k"]
tfidf = TfidfTransformer().fit_transform(X)
vectors = np.load(job["vectors"]) if job.get("vectors") else None


def top(weights):
    return [[str(word) for word in words[np.argsort(-row, kind="stable")[:TOP]]] for row in weights]


def factorise(model, data):
    H = model.fit_transform(data)
    return H.argmax(1), top(model.components_)


def nmf(seed):
    return factorise(NMF(k, random_state=seed, init="nndsvdar", max_iter=400), tfidf)


def nmf_kl(seed):
    return factorise(
        NMF(k, random_state=seed, init="nndsvdar", max_iter=400, solver="mu", beta_loss="kullback-leibler"), tfidf
    )


def lda(seed):
    return factorise(LatentDirichletAllocation(k, random_state=seed), X)


def kmeans(seed):
    model = KMeans(k, n_init=10, random_state=seed).fit(tfidf)
    return model.labels_, top(model.cluster_centers_)


def class_tfidf(labels, count):
    """Grootendorst 2022: term frequencies of each class, times ln(1 + A / f)."""
    members = csr_matrix((np.ones(len(labels)), (labels, np.arange(len(labels)))), shape=(count, len(labels)))
    sums = np.asarray((members @ X).todense(), dtype=float)
    idf = np.log(1 + sums.sum() / count / np.maximum(1, sums.sum(0)))
    return sums / np.maximum(1, sums.sum(1, keepdims=True)) * idf


def kmeans_vectors(seed):
    labels = KMeans(k, n_init=10, random_state=seed).fit_predict(vectors)
    return labels, top(class_tfidf(labels, k))


def bertopic(seed):
    from bertopic import BERTopic
    from umap import UMAP

    X32 = X.tocsr()
    # BERTopic turns tabs into spaces, and strips what is not A-Z of texts that it takes for English.
    documents = [" ".join(np.repeat(words[row.indices], row.data.astype(int))) for row in X32]
    model = BERTopic(
        umap_model=UMAP(n_neighbors=15, n_components=5, min_dist=0.0, metric="cosine", random_state=seed),
        vectorizer_model=CountVectorizer(analyzer=lambda text: text.split(" ")),
        top_n_words=TOP,
        embedding_model=None,
        language="multilingual",
    )
    labels, _ = model.fit_transform(documents, vectors)
    found = [[word for word, _ in ranked] for topic, ranked in sorted(model.get_topics().items()) if topic >= 0]
    return np.array(labels), found


METHODS = {
    "NMF": nmf,
    "NMF-KL": nmf_kl,
    "LDA": lda,
    "KMeans": kmeans,
    "KMeans on vectors": kmeans_vectors,
    "BERTopic": bertopic,
}

def read_kept(path):
    if not os.path.exists(path):
        return set()
    with open(path, encoding="utf8") as file:
        return {(row["method"], row["seed"]) for row in map(json.loads, file)}


done = read_kept(job["kept"])
for name in job["methods"]:
    for seed in job["seeds"]:
        if (name, seed) in done:
            continue
        labels, topics = METHODS[name](seed)
        row = {"method": name, "seed": seed, "labels": [int(x) for x in labels], "topics": topics}
        with open(job["kept"], "a", encoding="utf8") as file:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
